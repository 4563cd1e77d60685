import Streams

/// Counts how often a settler thought that sessions were quiet, and how often it was wrong.
///
/// For tests: a settler with an audit checks each such verdict with a fence through the work queue
/// of every open task, which takes longer the more tasks there are.
final class SettlingAudit: Sendable {
  struct Counts: Equatable {
    var verdicts = 0
    /// The largest number of open tasks at a verdict.
    var widest = 0
    var misses = 0
  }

  private let state = Locked(Counts())
  var counts: Counts { state.withLock { $0 } }

  func record(openTasks: Int, isMiss: Bool) {
    state.withLock { counts in
      counts.verdicts += 1
      counts.widest = max(counts.widest, openTasks)
      if isMiss { counts.misses += 1 }
    }
  }
}
