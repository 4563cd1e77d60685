import Streams
import Timeline
import VirtualTime

/// The work that waits on the clock after each event of a run.
///
/// An event is recorded while the code that it leads to still has to run. So the list of an event
/// is taken again until the next event, or until its instant is over.
final class PendingWorkLog: Sendable {
  /// The work that waited at the moments of a run.
  struct Lists: Sendable {
    /// After each event, in the order of the events.
    fileprivate(set) var afterEvents: [[PendingWork]] = []
    /// At the end of each instant, also of those without an event.
    fileprivate(set) var afterInstants: [(time: VirtualTime, work: [PendingWork])] = []

    /// The work that waited when everything up to a time had happened.
    func work(at time: VirtualTime) -> [PendingWork] {
      afterInstants.last { $0.time <= time }?.work ?? []
    }
  }

  fileprivate struct State {
    var time = VirtualTime.zero
    var lists = Lists()
  }

  private let state = Locked(State())

  /// The lists so far.
  var lists: Lists { state.withLock { $0.lists } }

  /// Follows a run from now on.
  ///
  /// - Returns: A token. Releasing it ends a part of the log: work that is scheduled after the last
  ///   event of an instant isn't seen any more.
  func follow(_ timeline: Timeline, on clock: VirtualTimeScheduler) -> any Cancellable & Sendable {
    timeline.onEvent { [state] event in
      let work = clock.pendingWork
      state.withLock { state in
        // The former event of this instant has just now led to everything that it leads to.
        state.replaceLast(with: work, at: event.time)
        state.time = event.time
        state.lists.afterEvents.append(work)
      }
    }
    return clock.attach { [state] in
      let now = clock.now
      let work = clock.pendingWork
      state.withLock { state in
        state.replaceLast(with: work, at: now)
        if state.lists.afterInstants.last?.time == now { state.lists.afterInstants.removeLast() }
        state.lists.afterInstants.append((now, work))
      }
      return false
    }
  }
}

extension PendingWorkLog.State {
  /// Takes the list of the last event again, if its instant isn't over.
  fileprivate mutating func replaceLast(with work: [PendingWork], at now: VirtualTime) {
    guard time == now, !lists.afterEvents.isEmpty else { return }
    lists.afterEvents[lists.afterEvents.count - 1] = work
  }
}
