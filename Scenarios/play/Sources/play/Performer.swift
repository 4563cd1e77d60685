import Foundation
import Synchronization

/// Builds the program, keeps it running, and does both again whenever its code changes.
actor Performer {
  private let program: String
  private let package: URL
  private let stage: Stage
  /// The program, once for runs and once for the search for other endings, which takes longer.
  private var runner: Performance?
  private var searcher: Performance?

  init(program: String, package: URL, stage: Stage) {
    (self.program, self.package, self.stage) = (program, package, stage)
  }

  /// Builds and runs the program until the task is cancelled.
  func run() async throws {
    let sources = SourceWatch(package: package)
    var seen: SourceWatch.Mark?
    while !Task.isCancelled {
      let mark = sources.mark
      if mark != seen {
        seen = mark
        await perform()
      }
      try await Task.sleep(for: .milliseconds(60))
    }
    runner?.end()
    searcher?.end()
  }

  /// Passes a request of a page on to the program.
  func ask(_ line: String) {
    (line.contains("\"endings\":true") ? searcher : runner)?.ask(line)
  }

  private func perform() async {
    await stage.show(.building)
    let start = ContinuousClock.now
    let build = Build(program: program, package: package)
    let result = await build.run()
    switch result {
    case .failure(let problem):
      await stage.show(.failed(problem.message))
    case .success(let executable):
      let time = ContinuousClock.now - start
      let seconds = Double(time.components.attoseconds) / 1e18 + Double(time.components.seconds)
      runner?.end()
      searcher?.end()
      await stage.show(.running(builtIn: seconds))
      do {
        runner = try launch(executable, greets: true)
        searcher = try launch(executable, greets: false)
      } catch {
        await stage.show(.failed("can't start it: \(error)"))
      }
    }
  }

  private func launch(_ executable: URL, greets: Bool) throws -> Performance {
    let performance = try Performance(executable)
    let stage = stage
    Task {
      var isFirst = true
      for await line in performance.answers {
        if !isFirst { await stage.tell(line) } else if greets { await stage.greet(line) }
        isFirst = false
      }
      if let problem = performance.problem { await stage.show(.failed(problem)) }
    }
    return performance
  }
}

/// A running program, which answers lines with lines.
final class Performance: Sendable {
  private let process = Process()
  private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
  private let isEnded = Mutex(false)

  init(_ executable: URL) throws {
    process.executableURL = executable
    process.arguments = ["--serve"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The lines that it writes.
  var answers: AsyncStream<String> { output.fileHandleForReading.lines }

  func ask(_ line: String) {
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Ends it.
  func end() {
    isEnded.withLock { $0 = true }
    process.terminate()
  }

  /// Why it has ended by itself; `nil` if it hasn't.
  var problem: String? {
    let text = (try? errors.fileHandleForReading.readToEnd()).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
    process.waitUntilExit()
    guard !isEnded.withLock({ $0 }) else { return nil }
    return "The program has ended.\n"
      + text.split(separator: "\n").suffix(12).joined(separator: "\n")
  }
}

extension FileHandle {
  /// The lines that come in, as they come.
  var lines: AsyncStream<String> {
    AsyncStream { continuation in
      let thread = Thread {
        var rest = Data()
        while true {
          let data = self.availableData
          if data.isEmpty { break }
          rest += data
          while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
            rest = Data(rest[(end + 1)...])
          }
        }
        continuation.finish()
      }
      thread.start()
    }
  }
}
