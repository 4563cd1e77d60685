import Foundation

/// The folder of the repository.
let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..")
  .standardized

/// Runs a script of bash in a folder.
///
/// - Returns: The lines that it prints to either stream, and then its exit code.
func runScript(_ path: String, _ arguments: [String], in folder: URL) throws -> [String] {
  let process = Process()
  let output = Pipe()
  process.executableURL = URL(fileURLWithPath: "/bin/bash")
  process.arguments = [path] + arguments
  process.currentDirectoryURL = folder
  process.standardOutput = output
  process.standardError = output
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  return lines + ["exit \(process.terminationStatus)"]
}
