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
    let time: VirtualTime
    let ending: Ending
    /// What happened; `nil` once it's known that nothing else happens up to the next sample.
    var history: History?
    /// The choices of the run, if it made any.
    let choices: [OrderChoice]
  }

  /// What's compared of a run.
  private struct History {
    let events: [Event]
    let actions: [ActionRun]

    init(_ recording: Timeline.Recording.Part, _ actions: [ActionRun]) {
      self.actions = actions
      var positions: [Int: Int] = [:]
      events = recording.events.enumerated().map { index, event in
        positions[event.number] = index
        return Event(
          lane: event.lane, kind: event.kind, cause: event.cause.flatMap { positions[$0] },
          time: event.time)
      }
    }

    /// Whether the same happens in another run in the same order, each thing at the same time or
    /// later by an interval.
    func isFollowed(by other: History, after interval: VirtualTime.Interval) -> Bool {
      func isFollowed(_ first: VirtualTime, by second: VirtualTime) -> Bool {
        [.zero, interval].contains(first.distance(to: second))
      }
      return events.count == other.events.count && actions.count == other.actions.count
        && zip(events, other.events).allSatisfy {
          $0.isLike($1) && isFollowed($0.time, by: $1.time)
        }
        && zip(actions, other.actions).allSatisfy {
          $0.number == $1.number && isFollowed($0.time, by: $1.time)
        }
    }
  }

  /// What's compared of an event.
  private struct Event {
    let lane: Timeline.Lane
    let kind: Timeline.Event.Kind
    /// The position of its cause.
    let cause: Int?
    let time: VirtualTime

    /// Whether only the times differ, if anything does.
    func isLike(_ other: Event) -> Bool {
      lane == other.lane && kind == other.kind && cause == other.cause
    }
  }

  package let thing: ScriptedThing
  /// The times that are tried.
  package let times: ClosedRange<VirtualTime>
  /// The runs, in order of their times.
  private var samples: [Sample] = []
  private var queue: [VirtualTime]

  /// How many runs were made.
  package private(set) var runCount = 0

  /// Whether it stopped because it reached the most runs.
  package private(set) var isCut = false

  /// - Parameters:
  ///   - thing: What's moved.
  ///   - earliest: The first time that's tried, if that's possible.
  ///   - latest: The last time that's tried, if that's possible.
  package init(
    _ thing: ScriptedThing, from earliest: VirtualTime = .zero, upTo latest: VirtualTime
  ) {
    self.thing = thing
    let usual = thing.usual.clamped(to: thing.range)
    times =
      min(usual, earliest.clamped(to: thing.range))...max(usual, latest.clamped(to: thing.range))
    queue = [times.lowerBound, times.upperBound].withoutRepeats()
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
  ///   - choices: The choices of the run, if it made any.
  package mutating func note(
    _ ending: Ending, _ recording: Timeline.Recording.Part, actions: [ActionRun],
    choices: [OrderChoice] = []
  ) {
    guard let time = queue.first else { preconditionFailure("there was nothing left to try") }
    queue.removeFirst()
    runCount += 1
    samples.insert(
      Sample(
        time: time, ending: ending, history: History(recording, actions), choices: choices),
      at: samples.firstPosition { $0.time > time })
    guard queue.isEmpty else { return }
    let next = findNext()
    isCut = runCount >= Self.mostRuns && !next.isEmpty
    if !isCut { queue = next }
  }

  /// The times with one ending each, in order.
  package var ranges: [Range] {
    var ranges: [Range] = []
    for (index, sample) in samples.enumerated() {
      let (time, ending) = (sample.time, sample.ending)
      let next = index + 1 < samples.count ? samples[index + 1].time : nil
      let isOpen = next == nil && times.upperBound < thing.range.upperBound
      let end = next.map { max(time, $0.advanced(by: .zero - Self.step)) } ?? (isOpen ? nil : time)
      if let last = ranges.last, last.ending == ending {
        ranges[ranges.count - 1] = Range(ending: ending, start: last.start, end: end)
      } else {
        ranges.append(Range(ending: ending, start: time, end: end))
      }
    }
    return ranges
  }

  /// The choices of a time at which something that follows from the thing meets something else.
  ///
  /// A choice that also comes at the same time when the thing comes just before or after doesn't
  /// depend on the thing, unless that takes part in it. One that comes later by as much as the
  /// thing is between things that follow from it.
  package var ties: [(time: VirtualTime, choice: OrderChoice)] {
    samples.indices.flatMap { index in
      let sample = samples[index]
      let neighbours = [index - 1, index + 1].filter(samples.indices.contains)
        .map { samples[$0] }.filter { sample.time.gap(to: $0.time) == Self.step }
      guard !neighbours.isEmpty else { return [(time: VirtualTime, choice: OrderChoice)]() }
      return sample.choices.filter { choice in
        !neighbours.contains { neighbour in
          let step = sample.time.distance(to: neighbour.time)
          return neighbour.choices.contains {
            let gap = choice.time.distance(to: $0.time)
            return $0.candidates == choice.candidates
              && (gap == step || gap == .zero && choice.time != sample.time)
          }
        }
      }
      .map { (sample.time, $0) }
    }
  }

  // MARK: Which times to try

  /// The times to try next, of the first pair of runs that aren't alike; empty if there's none.
  private mutating func findNext() -> [VirtualTime] {
    for index in samples.indices.dropLast() {
      let next = nextTimes(after: index)
      if !next.isEmpty { return next }
      samples[index].history = nil
    }
    return []
  }

  /// The times to try between a run and the next one; empty if nothing else can happen there.
  private func nextTimes(after index: Int) -> [VirtualTime] {
    let (first, second) = (samples[index], samples[index + 1])
    let distance = first.time.distance(to: second.time)
    guard let history = first.history, distance >= Self.step + Self.step else { return [] }
    let isAlike =
      first.ending == second.ending
      && second.history.map { history.isFollowed(by: $0, after: distance) } ?? false
    if isAlike { return [] }
    let (time, next) = (first.time, second.time)
    let meeting = meeting(after: time, in: history.events)
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
}
