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
    let moves: [Move]
    let end: End
    let recording: Timeline.Recording.Part
  }

  private let things: MoveSelection
  private let location: SourceLocation
  private var sweeps: Sweeps<End>
  private var isFirst = true
  /// The runs that are shown if the outcome depends on a time. Each is made once more.
  private var shown: [Shown] = []
  private var contradiction: (first: Shown, second: End)?

  init(_ things: MoveSelection, upTo limit: VirtualTime?, at location: SourceLocation) {
    (self.things, self.location) = (things, location)
    sweeps = Sweeps(upTo: limit, never: false, where: things.isIncluded)
  }

  /// The first thing with two outcomes ends the search.
  private var finding: Sweeps<End>.Finding? {
    sweeps.findings.first { !$0.isIndependent }
  }

  mutating func next() -> Variation? {
    guard let moves = movesToConfirm ?? (finding == nil ? sweeps.next() : nil) else { return nil }
    return Variation(moves: moves)
  }

  /// The moves of a run that's shown, the usual one first; `nil` if there's none left.
  private var movesToConfirm: [Move]? {
    guard contradiction == nil, let change = finding?.closestChange else { return nil }
    return [[], [change.move]].dropFirst(shown.count).first
  }

  mutating func note(_ run: TestRun<Outcome>) {
    let end = End(of: run)
    if let moves = movesToConfirm, let change = finding?.closestChange {
      let first = Shown(moves: moves, end: end, recording: run.recording)
      let expected = moves.isEmpty ? sweeps.endings[0] : change.range.ending
      if end != expected { contradiction = (first, expected) }
      shown.append(first)
    } else {
      sweeps.note(end, run.recording, actions: run.actions, run.script, end: run.end)
    }
  }

  /// Fails the test if it has found two outcomes, or if there was nothing to move.
  func report() {
    if let (first, second) = contradiction {
      let when = first.moves.first.map { "with \($0)" } ?? "with the usual times"
      reportIssue(
        """
        two runs \(when) end differently: make everything that the body changes inside it, and \
        nothing random
        \(second.text())
        and then
        \(first.end.text())
        """, at: location)
    } else if let finding, let (range, move) = finding.closestChange, shown.count == 2 {
      reportIssue(difference(finding, range, move), at: location)
    } else if !sweeps.cuts.isEmpty {
      reportIssue(
        (["one outcome so far, but not all times were tried:"] + sweeps.cuts)
          .joined(separator: "\n  "), at: location)
    } else if sweeps.findings.isEmpty {
      reportIssue(
        things.address.flatMap(sweeps.script.problem(ofAddress:))
          ?? "the test decides no times, so nothing was moved", at: location)
    }
  }

  private func difference(
    _ finding: Sweeps<End>.Finding, _ range: TimeSweep<End>.Range, _ move: Move
  ) -> String {
    let (usual, other) = (shown[0], shown[1])
    // What's compared with the moved thing may come at the same time as before.
    let others = (usual.recording.events + other.recording.events).map(\.lane)
      .filter { [.request, .subscriber].contains($0.role) }
    let lanes = RunHistories(usual.recording).lanes(differingFrom: .init(other.recording))
      .union(others)
    let thing = finding.thing
    let when =
      switch range.end {
      case nil: "at \(range.start) or later (tried up to \(finding.last))"
      case range.start: "at \(range.start)"
      case let end?: "from \(range.start) to \(end)"
      }
    let place = thing.place.map { " (\($0))" } ?? ""
    return """
      the outcome depends on when something comes: \(thing.words)\(place)
      usually, at \(thing.usual):
      \(usual.end.text(usual.recording, lanes))
      if it comes \(when):
      \(other.end.text(other.recording, lanes))
      to run that again: withWorld(moving: "\(move)") { world in … }
      """
  }
}
