import Streams
import Timeline
import VirtualTime

/// What waits at the moments of a run: work on the clock, and values that operators hold.
///
/// An event is recorded while the code that it leads to still has to run. So what waits after an
/// event is looked at again until the next event, or until its instant is over.
final class WaitingLog: Sendable {
  /// What waits at a moment.
  struct Waiting: Hashable, Sendable {
    var work: [PendingWork] = []
    var values: [Timeline.KeptValue] = []
  }

  /// What waited at the moments of a run.
  struct Moments: Sendable {
    /// After each event, in the order of the events.
    fileprivate(set) var afterEvents: [Waiting] = []
    /// At the end of each instant, also of those without an event.
    fileprivate(set) var afterInstants: [(time: VirtualTime, waiting: Waiting)] = []

    /// What waited when everything up to a time had happened.
    func waiting(at time: VirtualTime) -> Waiting {
      afterInstants.last { $0.time <= time }?.waiting ?? Waiting()
    }
  }

  private struct State {
    var time = VirtualTime.zero
    var moments = Moments()

    /// Looks at what waits after the last event again, if its instant isn't over.
    mutating func replaceLast(with waiting: Waiting, at now: VirtualTime) {
      guard time == now, !moments.afterEvents.isEmpty else { return }
      moments.afterEvents[moments.afterEvents.count - 1] = waiting
    }
  }

  private let state = Locked(State())

  /// The moments so far.
  var moments: Moments { state.withLock { $0.moments } }

  /// Follows a run from now on.
  ///
  /// - Returns: A token. Releasing it ends a part of the log: work that is scheduled after the last
  ///   event of an instant isn't seen any more.
  func follow(_ timeline: Timeline, on clock: VirtualTimeScheduler) -> any Cancellable & Sendable {
    // The observer belongs to the timeline.
    timeline.onEvent { [state, weak timeline] event in
      let waiting = Waiting(work: clock.pendingWork, values: timeline?.keptValues ?? [])
      state.withLock { state in
        // The former event of this instant has just now led to everything that it leads to.
        state.replaceLast(with: waiting, at: event.time)
        state.time = event.time
        state.moments.afterEvents.append(waiting)
      }
    }
    return clock.attach { [state, weak timeline] in
      let now = clock.now
      let waiting = Waiting(work: clock.pendingWork, values: timeline?.keptValues ?? [])
      state.withLock { state in
        state.replaceLast(with: waiting, at: now)
        if state.moments.afterInstants.last?.time == now {
          state.moments.afterInstants.removeLast()
        }
        state.moments.afterInstants.append((now, waiting))
      }
      return false
    }
  }
}
