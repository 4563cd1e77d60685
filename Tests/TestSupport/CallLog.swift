import Streams

/// One list that several subscribers and publishers write to, where their order *between each
/// other* matters: that upstream is cancelled before downstream hears of the end, for example.
///
/// ```swift
/// let log = CallLog()
/// let source = ScriptedPublisher<Int, Never>(log: log)
/// source.prefix(1).subscribe(History(log: log))
/// source.send(1)
/// log.lines
/// // ["upstream: request unlimited", "downstream: subscription Output", "downstream: value 1",
/// //  "upstream: cancel", "downstream: finished"]
/// ```
package final class CallLog: Sendable {
  private let state = Locked<[String]>([])

  /// Makes an empty log.
  package init() {}

  /// What was written so far.
  package var lines: [String] { state.withLock { $0 } }

  /// Writes a line; tests use it for what happens in their own closures.
  package func append(_ line: String) {
    state.withLock { $0.append(line) }
  }

  /// Forgets what was written, to look at what comes next only.
  package func removeAll() {
    state.withLock { $0 = [] }
  }
}
