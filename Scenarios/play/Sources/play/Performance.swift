import Dispatch
import Foundation
import Synchronization

/// A running program, which answers lines with lines.
final class Performance: Sendable {
  /// What it says.
  enum Message: Sendable {
    case line(String)
    /// It has ended.
    case end(End)
  }

  /// Why it has ended.
  enum End: Sendable {
    /// It was told to.
    case told
    /// A run took too long.
    case stuck
    /// By itself, with these last words.
    case crash(String)
  }

  private struct State {
    /// Why it was ended from outside, if it was.
    var end: End?
    var isEnded: Bool { end != nil }
    /// How many requests have no answer yet.
    var waiting = 0
    /// When it said something last, or was asked something while it had nothing to do.
    var lastSign = ContinuousClock.now
    /// The end of its standard error.
    var lastWords = ""
  }

  /// How many seconds a run may take. While it looks for endings, it says when a run begins.
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
      self.output.fileHandleForReading.readLines { line in
        self.state.withLock { $0.lastSign = .now }
        continuation.yield(.line(line))
      }
      // What it leaves behind may keep the pipe of its errors.
      _ = errorsEnded.wait(timeout: .now() + 1)
      continuation.yield(.end(self.noteEnd()))
      continuation.finish()
    }
    .start()
  }

  /// Whether it has ended.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  func ask(_ line: String) {
    state.withLock {
      if $0.waiting == 0 { $0.lastSign = .now }
      $0.waiting += 1
    }
    try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Notes that a request has its answer.
  func noteAnswer() { state.withLock { $0.waiting = max(0, $0.waiting - 1) } }

  /// Ends it, also in the middle of a run that doesn't end.
  func end() { end(.told) }

  /// Ends it if a run takes too long.
  ///
  /// - Returns: Whether it did.
  @discardableResult
  func endIfStuck() -> Bool {
    let isStuck = state.withLock {
      !$0.isEnded && $0.waiting > 0
        && ContinuousClock.now - $0.lastSign > .seconds(Self.patience)
    }
    if isStuck { end(.stuck) }
    return isStuck
  }

  private func end(_ reason: End) {
    let isFirst = state.withLock { state in
      defer { state.end = state.end ?? reason }
      return !state.isEnded
    }
    // A program may have SIGTERM blocked, as the thread has that started it.
    if isFirst { kill(process.processIdentifier, SIGKILL) }
  }

  /// Keeps the end of the standard error.
  private func readErrors() {
    while case let data = errors.fileHandleForReading.availableData, !data.isEmpty {
      let text = String(decoding: data, as: UTF8.self)
      state.withLock { $0.lastWords = String(($0.lastWords + text).suffix(64_000)) }
    }
  }

  /// Notes that the output has ended.
  private func noteEnd() -> End {
    state.withLock {
      let lines = $0.lastWords.split(separator: "\n")
      let reason = lines.first { $0.contains("Fatal error") }.map { [$0] } ?? lines.suffix(8)
      let end = $0.end ?? .crash(reason.joined(separator: "\n"))
      $0.end = end
      return end
    }
  }
}
