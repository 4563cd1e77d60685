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
    // Reading blocks, so it has a thread of its own.
    Thread {
      self.readLines { line in
        self.state.withLock { if !$0.waiting.isEmpty { $0.waiting.removeFirst() } }
        continuation.yield(.line(line))
      }
      continuation.yield(.end(self.problem))
      continuation.finish()
    }
    .start()
  }

  /// Whether a run takes too long.
  var isStuck: Bool {
    state.withLock { $0.waiting.first }
      .map { ContinuousClock.now - $0 > .seconds(Self.patience) } ?? false
  }

  func ask(_ line: String) {
    state.withLock { $0.waiting.append(.now) }
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Ends it.
  func end() {
    state.withLock { $0.isEnded = true }
    process.terminate()
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

  /// Why it has ended by itself; `nil` if it hasn't.
  private var problem: String? {
    let text =
      (try? errors.fileHandleForReading.readToEnd()).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard !state.withLock({ $0.isEnded }) else { return nil }
    let lines = text.split(separator: "\n")
    let reason = lines.first { $0.contains("Fatal error") }.map { [$0] } ?? lines.suffix(8)
    return (["The program has crashed."] + reason).joined(separator: "\n")
  }
}
