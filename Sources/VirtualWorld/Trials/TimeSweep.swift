import Timeline
import VirtualTime

/// The search for all that a program does when one thing comes at another time.
///
/// It runs nothing itself. Ask it for a time, run the program with the thing at that time, and tell
/// it what happened, until it wants no other time.
///
/// It's exact to a step, and needs no run for most of them. Take two runs in which the same events
/// follow each other, and so do the actions of the clock, and each of them comes either at the same
/// time in both, or later by as much as the thing. Then no event has passed another one on the way
/// from the first run to the second. So the program has seen the same in the same order for all
/// times between them, and what it does is the same. Wherever two runs don't compare like this, one
/// between them is run as well: where something that follows from the thing meets something else,
/// if the record shows that, or in the middle.
package struct TimeSweep<Ending: Hashable> {
  /// Times with one ending that follow each other.
  package struct Range: Equatable {
    package let ending: Ending
    package let start: VirtualTime
    /// The last time; `nil` if it's the same for all later ones that were tried.
    package let end: VirtualTime?

    /// Its time that's closest to another one.
    package func closest(to time: VirtualTime) -> VirtualTime {
      start > time ? start : min(time, end ?? .max)
    }

    /// Whether a time lies in it.
    package func contains(_ time: VirtualTime) -> Bool { closest(to: time) == time }
  }

  /// How finely it looks.
  package static var step: VirtualTime.Interval { .milliseconds(1) }

  /// The most runs for one thing.
  package static var mostRuns: Int { 1_000 }

  private struct Sample {
    let ending: Ending
    let events: [Event]
    /// The actions of the clock.
    let actions: [ActionRun]
    /// Whether all times up to the next sample are like this one.
    var isLikeNext = false
  }

  /// What's compared of an event.
  private struct Event: Equatable {
    let lane: Timeline.Lane
    let kind: Timeline.Event.Kind
    /// The position of its cause.
    let cause: Int?
    let time: VirtualTime

    /// Whether this comes at the same time as another one, or later by an interval.
    func follows(_ other: Event, by interval: VirtualTime.Interval) -> Bool {
      let distance = other.time.distance(to: time)
      return lane == other.lane && kind == other.kind && cause == other.cause
        && (distance == .zero || distance == interval)
    }
  }

  package let thing: ScriptedThing
  /// The last time that's tried.
  package let last: VirtualTime
  private var times: [VirtualTime] = []
  private var samples: [VirtualTime: Sample] = [:]
  private var queue: [VirtualTime]

  /// How many runs were made.
  package private(set) var runCount = 0

  /// Whether it stopped because it reached the most runs.
  package private(set) var isCut = false

  /// - Parameters:
  ///   - thing: What's moved.
  ///   - latest: How far it's moved.
  package init(_ thing: ScriptedThing, upTo latest: VirtualTime) {
    self.thing = thing
    let usual = min(max(thing.usual, thing.range.lowerBound), thing.range.upperBound)
    last = max(usual, min(latest, thing.range.upperBound))
    queue = [thing.range.lowerBound, last].withoutRepeats()
    if !queue.contains(usual) { queue.append(usual) }
  }

  /// The time to run next; `nil` at the end.
  package func next() -> VirtualTime? { queue.first }

  /// Notes what happened with the time that ``next()`` returned.
  ///
  /// - Parameters:
  ///   - ending: What's compared.
  ///   - recording: The record of the run.
  ///   - actions: The actions of the clock.
  package mutating func note(
    _ ending: Ending, _ recording: Timeline.Recording.Part, actions: [ActionRun]
  ) {
    guard let time = queue.first else { preconditionFailure("there was nothing left to try") }
    queue.removeFirst()
    runCount += 1
    samples[time] = Sample(
      ending: ending, events: Self.events(of: recording), actions: actions)
    times.insert(time, at: times.firstPosition { $0 > time })
    guard queue.isEmpty else { return }
    if runCount >= Self.mostRuns {
      isCut = times.indices.dropLast().contains { nextTimes(after: $0) != nil }
    } else {
      findNext()
    }
  }

  /// The times with one ending each, in order.
  package var ranges: [Range] {
    var ranges: [Range] = []
    for (index, time) in times.enumerated() {
      guard let ending = samples[time]?.ending else { continue }
      let next = index + 1 < times.count ? times[index + 1] : nil
      let isOpen = next == nil && last < thing.range.upperBound
      let end = next.map { max(time, $0.advanced(by: .zero - Self.step)) } ?? (isOpen ? nil : time)
      if let last = ranges.last, last.ending == ending {
        ranges[ranges.count - 1] = Range(ending: ending, start: last.start, end: end)
      } else {
        ranges.append(Range(ending: ending, start: time, end: end))
      }
    }
    return ranges
  }

  // MARK: Which times to try

  private mutating func findNext() {
    for index in times.indices.dropLast() {
      guard let next = nextTimes(after: index) else {
        samples[times[index]]?.isLikeNext = true
        continue
      }
      queue = next
      return
    }
  }

  /// The times to try between a sample and the next one; `nil` if nothing else can happen there.
  private func nextTimes(after index: Int) -> [VirtualTime]? {
    let (time, next) = (times[index], times[index + 1])
    guard let first = samples[time], let second = samples[next], !first.isLikeNext else {
      return nil
    }
    let distance = time.distance(to: next)
    guard distance >= Self.step + Self.step else { return nil }
    let isAlike =
      first.ending == second.ending && first.events.count == second.events.count
      && zip(second.events, first.events).allSatisfy { $0.follows($1, by: distance) }
      && first.actions.count == second.actions.count
      && zip(first.actions, second.actions).allSatisfy {
        let later = $0.time.distance(to: $1.time)
        return $0.number == $1.number && (later == .zero || later == distance)
      }
    if isAlike { return nil }
    let meeting = meeting(after: time, in: first.events)
    // At the meeting, and right before and after it.
    let near = [.zero - Self.step, .zero, Self.step].compactMap { step in
      meeting.map { $0.advanced(by: step) }
    }
    .filter { time < $0 && $0 < next }
    if !near.isEmpty { return near }
    let steps = distance.nanoseconds / Self.step.nanoseconds
    return [time.advanced(by: .nanoseconds(Int(steps / 2 * Self.step.nanoseconds)))]
  }

  /// The next time at which something that follows from the thing meets something else, as far as
  /// the causes show it.
  private func meeting(after time: VirtualTime, in events: [Event]) -> VirtualTime? {
    var follows: [Bool] = []
    for event in events {
      follows.append(event.time == time || event.cause.map { follows[$0] } ?? false)
    }
    let moving = Set(zip(events, follows).filter(\.1).map { time.distance(to: $0.0.time) })
    let standing = Set(zip(events, follows).filter { !$0.1 }.map(\.0.time))
    return moving.flatMap { offset in standing.map { $0.advanced(by: .zero - offset) } }
      .filter { $0 > time }.min()
  }

  private static func events(of recording: Timeline.Recording.Part) -> [Event] {
    var positions: [Int: Int] = [:]
    return recording.events.enumerated().map { index, event in
      positions[event.number] = index
      return Event(
        lane: event.lane, kind: event.kind, cause: event.cause.flatMap { positions[$0] },
        time: event.time)
    }
  }
}
