import Streams
import Timeline
import VirtualTime

/// The work that waits on the clock after each event of a run.
///
/// An event is recorded while the code that it leads to still has to run. So the list of an event
/// is taken again until the next event, or until its instant is over.
final class PendingWorkLog: Sendable {
  private struct State {
    var time = VirtualTime.zero
    var lists: [[PendingWork]] = []
  }

  private let state = Locked(State())

  /// The work that waits after each event, in the order of the events.
  var lists: [[PendingWork]] { state.withLock { $0.lists } }

  /// Follows a run from now on.
  ///
  /// - Returns: A token. Releasing it ends a part of the log: work that is scheduled after the last
  ///   event of an instant isn't seen any more.
  func follow(_ timeline: Timeline, on clock: VirtualTimeScheduler) -> any Cancellable & Sendable {
    timeline.onEvent { [state] event in
      let work = clock.pendingWork
      state.withLock { state in
        // The former event of this instant has just now led to everything that it leads to.
        if !state.lists.isEmpty, state.time == event.time {
          state.lists[state.lists.count - 1] = work
        }
        state.time = event.time
        state.lists.append(work)
      }
    }
    return clock.attach { [state] in
      let now = clock.now
      let work = clock.pendingWork
      state.withLock { state in
        if !state.lists.isEmpty, state.time == now { state.lists[state.lists.count - 1] = work }
      }
      return false
    }
  }
}
