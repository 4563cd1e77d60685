import Streams

/// A log that several subscribers and publishers share, for tests of the order *between* them. For
/// example: upstream is cancelled before downstream receives the completion.
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

  /// The lines so far.
  package var lines: [String] { state.withLock { $0 } }

  /// Appends a line. Tests call it from their own closures.
  package func append(_ line: String) {
    state.withLock { $0.append(line) }
  }

  /// Removes all lines, so a test can look at later ones only.
  package func removeAll() {
    state.withLock { $0 = [] }
  }
}
