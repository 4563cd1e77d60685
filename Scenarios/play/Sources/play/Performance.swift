import Dispatch
import Foundation
import Synchronization

/// A running program, which answers lines with lines.
final class Performance: Sendable {
  /// What it says.
  enum Message: Sendable {
    case line(String)
    /// It has ended, and why if it did so by itself.
    case end(String?)
  }

  private struct State {
    var isEnded = false
    /// When the requests were made that have no answer yet.
    var waiting: [ContinuousClock.Instant] = []
    /// The end of its standard error.
    var lastWords = ""
  }

  /// How many seconds a run may take.
  static let patience = 5

  /// What it says, until it ends.
  let messages: AsyncStream<Message>

  private let process = Process()
  private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
  private let state = Mutex(State())

  init(_ executable: URL) throws {
    let (messages, continuation) = AsyncStream.makeStream(of: Message.self)
    self.messages = messages
    process.executableURL = executable
    process.arguments = ["--stage"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // A crash takes seconds otherwise.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    // Reading blocks, so each pipe has a thread of its own.
    let errorsEnded = DispatchSemaphore(value: 0)
    Thread {
      self.readErrors()
      errorsEnded.signal()
    }
    .start()
    Thread {
      self.readLines { line in
        self.state.withLock { if !$0.waiting.isEmpty { $0.waiting.removeFirst() } }
        continuation.yield(.line(line))
      }
      // What it leaves behind may keep the pipe of its errors.
      _ = errorsEnded.wait(timeout: .now() + 1)
      let problem = self.problem
      self.state.withLock { $0.isEnded = true }
      continuation.yield(.end(problem))
      continuation.finish()
    }
    .start()
  }

  /// Whether it has ended.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Whether a run takes too long.
  var isStuck: Bool {
    state.withLock { $0.isEnded ? nil : $0.waiting.first }
      .map { ContinuousClock.now - $0 > .seconds(Self.patience) } ?? false
  }

  func ask(_ line: String) {
    state.withLock { $0.waiting.append(.now) }
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Ends it, also in the middle of a run that doesn't end.
  func end() {
    state.withLock { $0.isEnded = true }
    // A program may have SIGTERM blocked, as the thread has that started it.
    kill(process.processIdentifier, SIGKILL)
  }

  private func readLines(_ receive: (String) -> Void) {
    var rest = Data()
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        receive(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
  }

  /// Keeps the end of the standard error.
  private func readErrors() {
    while case let data = errors.fileHandleForReading.availableData, !data.isEmpty {
      let text = String(decoding: data, as: UTF8.self)
      state.withLock { $0.lastWords = String(($0.lastWords + text).suffix(64_000)) }
    }
  }

  /// Why it has ended by itself; `nil` if it hasn't.
  private var problem: String? {
    let (isEnded, text) = state.withLock { ($0.isEnded, $0.lastWords) }
    guard !isEnded else { return nil }
    let lines = text.split(separator: "\n")
    let reason = lines.first { $0.contains("Fatal error") }.map { [$0] } ?? lines.suffix(8)
    return (["The program has crashed."] + reason).joined(separator: "\n")
  }
}
