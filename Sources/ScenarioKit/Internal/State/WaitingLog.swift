import Streams
import Timeline
import VirtualTime
import VirtualWorld

/// What waits at the moments of a run: work on the clock, and values that operators hold.
///
/// An event is recorded while the code that it leads to still has to run. So what waits after an
/// event is looked at again until the next event, or until its instant is over.
final class WaitingLog: Sendable {
  /// Work that waits on the clock.
  struct Work: Hashable, Sendable {
    let pending: PendingWork
    /// The number of the event that the code that set it follows from; `nil` if that's none, or
    /// isn't known.
    let origin: Int?
  }

  /// What waits at a moment.
  struct Waiting: Hashable, Sendable {
    var work: [Work] = []
    /// How much more work waits.
    var workLeftOut = 0
    var values: [Timeline.KeptValue] = []
    /// How many more values are kept.
    var valuesLeftOut = 0
  }

  /// What waited at the moments of a run.
  struct Moments: Sendable {
    /// After the events that are logged, by their numbers.
    fileprivate(set) var afterEvents: [Int: Waiting] = [:]
    /// At the end of the instant that's logged, or of the last one before it.
    fileprivate(set) var afterInstant = Waiting()
  }

  private struct State {
    var moments = Moments()
    /// The last event that's logged, if no other one has followed.
    var last: Timeline.Event?
  }

  private let moment: Moment?
  private let state = Locked(State())

  /// Makes a log of one moment with all that waits, or of the moments of all events with as much as
  /// a page shows.
  ///
  /// - Parameter moment: The moment; `nil` for all events.
  init(of moment: Moment? = nil) { self.moment = moment }

  /// The moments so far.
  var moments: Moments { state.withLock { $0.moments } }

  /// Follows a run from now on.
  ///
  /// - Returns: A token. Releasing it ends a part of the log: work that is scheduled after the last
  ///   event of an instant isn't seen any more.
  func follow(_ timeline: Timeline, on clock: VirtualTimeScheduler) -> any Cancellable & Sendable {
    timeline.tracksKeptValues()
    // The observer belongs to the timeline.
    timeline.onEvent { [self, weak timeline] event in
      guard let timeline else { return }
      replaceLast(timeline, clock, at: event.time)
      guard logs(event) else { return state.withLock { $0.last = nil } }
      let waiting = waiting(timeline, clock)
      state.withLock { state in
        state.last = event
        state.moments.afterEvents[event.number] = waiting
      }
    }
    return clock.attach { [self, weak timeline] in
      guard let timeline else { return false }
      let now = clock.now
      replaceLast(timeline, clock, at: now)
      if isLast(now, clock) {
        let waiting = waiting(timeline, clock)
        state.withLock { $0.moments.afterInstant = waiting }
      }
      return false
    }
  }

  private func logs(_ event: Timeline.Event) -> Bool {
    switch moment {
    case nil: true
    case .event(let number): event.number == number
    case .time: false
    }
  }

  /// Whether an instant is the last one up to the moment that's logged.
  private func isLast(_ now: VirtualTime, _ clock: VirtualTimeScheduler) -> Bool {
    guard case .time(let time, _) = moment, now <= time else { return false }
    return clock.firstDue.map { $0 > time } ?? true
  }

  /// Looks at what waits after the last event again, if its instant isn't over.
  private func replaceLast(
    _ timeline: Timeline, _ clock: VirtualTimeScheduler, at now: VirtualTime
  ) {
    guard let last = state.withLock({ $0.last }), last.time == now else { return }
    // The event has just now led to everything that it leads to.
    let waiting = waiting(timeline, clock)
    state.withLock { $0.moments.afterEvents[last.number] = waiting }
  }

  private func waiting(_ timeline: Timeline, _ clock: VirtualTimeScheduler) -> Waiting {
    let work = clock.pendingWorkWithSites
    let values = timeline.keptValues
    // A page has a list for each event, so long ones are cut.
    let limit = moment == nil ? 6 : Int.max
    return Waiting(
      work: work.prefix(limit).map {
        Work(pending: $0.work, origin: ($0.site as? CauseSite)?.event)
      }, workLeftOut: max(0, work.count - limit), values: Array(values.prefix(limit)),
      valuesLeftOut: max(0, values.count - limit))
  }
}

/// The event that code which schedules work follows from.
struct CauseSite: World.Site {
  /// The number of the event; `nil` if it's the program's own code.
  let event: Int?
  var source: World.Problem.Source? { nil }

  /// Takes that of the calling code.
  init() { event = Timeline.numberOfCause }
}
