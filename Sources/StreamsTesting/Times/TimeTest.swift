import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// A test in which things come at other times: the search, and the message if it finds two
/// outcomes.
struct TimeTest<Outcome: Hashable>: TestSearch {
  private typealias End = TestEnd<Outcome>

  /// A run that's compared with another one.
  private struct Shown {
    let variation: Variation
    let end: End
    let recording: Timeline.Recording.Part
  }

  private let things: MoveSelection
  /// How far things are moved if near-equal counts as equal; `nil` if they come at any time.
  private let interval: VirtualTime.Interval?
  private let location: SourceLocation
  private var sweeps: Sweeps<End>
  /// The runs that are shown if the outcome depends on a time. Each is made once more.
  private var shown: [Shown] = []
  private var contradiction: (first: Shown, second: End)?

  /// Makes a test in which things come at any time.
  init(_ things: MoveSelection, upTo limit: VirtualTime?, at location: SourceLocation) {
    (self.things, self.location, interval) = (things, location, nil)
    sweeps = Sweeps(.upTo(limit), never: false, where: things.isIncluded)
  }

  /// Makes a test in which things come earlier or later by an interval, in any order.
  init(within interval: VirtualTime.Interval, at location: SourceLocation) {
    (things, self.location, self.interval) = (.everything, location, interval)
    sweeps = Sweeps(.within(interval), orders: true, never: false)
  }

  /// The first change of a thing ends the search.
  private var change: Sweeps<End>.Change? {
    sweeps.findings.lazy.filter(\.isComplete).compactMap(\.closestChange).first
  }

  mutating func next() -> Variation? {
    change == nil ? sweeps.next() : variationToConfirm
  }

  /// A run that's shown, the usual one first; `nil` if there's none left.
  private var variationToConfirm: Variation? {
    guard contradiction == nil, let change else { return nil }
    let other = Variation(schedule: change.tie?.schedule, moves: [change.move])
    return [Variation(), other].dropFirst(shown.count).first
  }

  mutating func note(_ run: TestRun<Outcome>) {
    let end = End(of: run)
    guard let change else {
      return sweeps.note(
        .init(
          ending: end, recording: run.recording, actions: run.actions, choices: run.choices,
          script: run.script, end: run.end))
    }
    let first = Shown(variation: run.variation, end: end, recording: run.recording)
    let expected = shown.isEmpty ? sweeps.usualEnding : change.ending
    if let expected, end != expected { contradiction = (first, expected) }
    shown.append(first)
  }

  /// Fails the test if it has found two outcomes, or if there was nothing to move.
  func report() {
    if let (first, second) = contradiction {
      let when = first.variation.moves.first.map { "with \($0)" } ?? "with the usual times"
      reportIssue(
        """
        two runs \(when) end differently: make everything that the body changes inside it, and \
        nothing random
        \(second.text())
        and then
        \(first.end.text())
        """, at: location)
    } else if let change, shown.count == 2 {
      reportIssue(difference(change), at: location)
    } else if !sweeps.cuts.isEmpty {
      reportIssue(
        (["one outcome so far, but not all times were tried:"] + sweeps.cuts)
          .joined(separator: "\n  "), at: location)
    } else if sweeps.findings.isEmpty, interval == nil {
      reportIssue(
        things.address.flatMap(sweeps.script.problem(ofAddress:))
          ?? (sweeps.script.things.isEmpty
            ? "the test decides no times, so nothing was moved"
            : "the test has no response, so nothing was moved: what it decides itself is moved with "
              + "of: .everyInput"),
        at: location)
    }
  }

  private func difference(_ change: Sweeps<End>.Change) -> String {
    let (usual, other) = (shown[0], shown[1])
    // What's compared with the moved thing may come at the same time as before.
    let others = (usual.recording.events + other.recording.events).map(\.lane)
      .filter { [.request, .subscriber].contains($0.role) }
    let lanes = RunHistories(usual.recording).lanes(differingFrom: .init(other.recording))
      .union(others)
    let finding = sweeps.findings.first { $0.thing.address == change.move.address }
    guard let finding else { preconditionFailure("the change is one of a finding") }
    let thing = finding.thing
    let time = change.move.time
    let when =
      if let tie = change.tie {
        "at \(time), with \(tie.order)"
      } else if let end = change.range?.end {
        end == change.range?.start ? "at \(time)" : "from \(change.range?.start ?? time) to \(end)"
      } else {
        "at \(change.range?.start ?? time) or later (tried up to \(finding.last))"
      }
    let place = thing.place.map { " (\($0))" } ?? ""
    let subject =
      interval.map { "the order of what happens within \($0)" } ?? "when something comes"
    let schedule = other.variation.schedule.map { "schedule: \"\($0)\", " } ?? ""
    return """
      the outcome depends on \(subject): \(thing.words)\(place)
      usually, at \(thing.usual):
      \(usual.end.text(usual.recording, lanes))
      if it comes \(when):
      \(other.end.text(other.recording, lanes))
      to run that again: withWorld(\(schedule)moving: "\(change.move)") { world in … }
      """
  }
}
