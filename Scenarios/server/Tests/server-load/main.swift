// Measures the scenarios' server under load, and judges how well it serves during a flood of
// logins. It writes a table into `Results/load.md`.
//
//     make server-load
//     make server-load SHORT=1    (a part of it, in 20 seconds, without a table)

import Foundation
import ServerTestSupport

/// Prints a line at once, because the whole test takes minutes.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

func fail(_ problems: [String], status: Int32) -> Never {
  for problem in problems {
    try? FileHandle.standardError.write(contentsOf: Data("server-load: \(problem)\n".utf8))
  }
  exit(status)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.isEmpty || arguments == ["--short"] else {
  fail(["the only option is --short"], status: 64)
}
let isShort = !arguments.isEmpty
let interruptions = Interruption.endAllPrograms()

do {
  var test = try LoadTest(isShort ? .short : .long) { say($0) }
  try test.run()
  let report = LoadReport(
    machine: .current(), rows: test.rows, peakKilobytes: try test.peakKilobytes())
  say(([""] + report.lines).joined(separator: "\n"))
  guard test.complaints.isEmpty else { fail(test.complaints, status: EXIT_FAILURE) }
  if !isShort {
    let page = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Results/load.md").standardized
    try PageBlock("server-load").write(report.lines, to: page)
  }
  say("\nserver-load: passed")
} catch {
  fail(["\(error)"], status: EXIT_FAILURE)
}
// Not by returning: the threads that read from programs may still run.
exit(EXIT_SUCCESS)
