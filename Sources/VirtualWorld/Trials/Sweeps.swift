import Timeline
import VirtualTime

/// What a program does when each thing that its script decides comes at other times.
///
/// It runs nothing itself. Ask it for moves, run the program with them, and tell it what happened,
/// until it has no more:
///
/// ```
/// while let moves = sweeps.next() {
///   sweeps.note(…)
/// }
/// ```
///
/// The first run is the usual one. Then each thing is moved, one at a time.
package struct Sweeps<Ending: Hashable> {
  /// What one thing's times lead to.
  package struct Finding {
    package let thing: ScriptedThing
    package fileprivate(set) var ranges: [TimeSweep<Ending>.Range] = []
    /// What happens if it doesn't come at all; `nil` if it always does.
    package fileprivate(set) var never: Ending?

    /// The last time that was tried.
    package fileprivate(set) var last = VirtualTime.zero

    /// The range of the usual time.
    package var usual: TimeSweep<Ending>.Range? { ranges.first { $0.contains(thing.usual) } }

    /// The range with another ending that's closest to the usual time, and the move that leads
    /// there; `nil` if there's none.
    package var closestChange: (range: TimeSweep<Ending>.Range, move: Move)? {
      let time = thing.usual
      return ranges.filter { $0.ending != usual?.ending }
        .map { (range: $0, move: Move(thing.address, to: $0.closest(to: time))) }
        .min { time.gap(to: $0.move.time) < time.gap(to: $1.move.time) }
    }

    /// Whether all times have one ending.
    package var isIndependent: Bool { Set(ranges.map(\.ending)).count <= 1 }
  }

  /// The moves of all runs.
  private let moves: [Move]
  private var things: ArraySlice<ScriptedThing>?
  private var sweep: TimeSweep<Ending>?
  private let isIncluded: (ScriptedThing) -> Bool
  private let limit: VirtualTime?
  private let triesNever: Bool
  private var end = VirtualTime.zero

  /// What the script of the usual run decided.
  package private(set) var script = Script()

  /// What was found, in the order in which the script decides.
  package private(set) var findings: [Finding] = []

  /// The endings, in the order of the runs. The first is the usual one.
  package private(set) var endings: [Ending] = []

  /// How many runs were made, with the usual one.
  package private(set) var runCount = 0

  /// Where it ended although there was more to try, in words.
  package private(set) var cuts: [String] = []

  /// - Parameters:
  ///   - moves: The moves of all runs.
  ///   - limit: How far things are moved; `nil` for a second after the end of the usual run.
  ///   - triesNever: Whether to try what happens if a thing doesn't come at all.
  ///   - isIncluded: Whether to move a thing.
  package init(
    moves: [Move] = [], upTo limit: VirtualTime? = nil, never triesNever: Bool = true,
    where isIncluded: @escaping (ScriptedThing) -> Bool = { _ in true }
  ) {
    (self.moves, self.limit, self.triesNever, self.isIncluded) = (
      moves, limit, triesNever, isIncluded
    )
  }

  /// How many things are left, with the present one.
  package var thingsLeft: Int { (things?.count ?? 0) + (sweep == nil ? 0 : 1) }

  /// The moves to run next; `nil` at the end.
  package func next() -> [Move]? {
    if things == nil { return moves }
    guard let sweep else { return nil }
    return moves + [Move(sweep.thing.address, to: sweep.next() ?? .max)]
  }

  /// Notes what happened with the moves that ``next()`` returned.
  ///
  /// - Parameters:
  ///   - ending: What's compared.
  ///   - recording: The record of the run.
  ///   - actions: The actions of the clock.
  ///   - script: What the script of the run decided. Only that of the first run counts.
  ///   - end: When the run ended.
  package mutating func note(
    _ ending: Ending, _ recording: Timeline.Recording.Part, actions: [ActionRun],
    _ script: Script, end: VirtualTime
  ) {
    runCount += 1
    if !endings.contains(ending) { endings.append(ending) }
    guard things != nil else {
      let moved = Set(moves.map(\.address))
      things = script.things.filter { !moved.contains($0.address) && isIncluded($0) }[...]
      self.end = end
      self.script = script
      return goOn()
    }
    guard sweep?.next() != nil else {
      findings[findings.count - 1].never = ending
      return goOn()
    }
    sweep?.note(ending, recording, actions: actions)
    guard let sweep, sweep.next() == nil else { return }
    findings[findings.count - 1].ranges = sweep.ranges
    findings[findings.count - 1].last = sweep.last
    if sweep.isCut {
      cuts.append("\(sweep.thing.words): stopped after \(sweep.runCount) runs, and there's more")
    }
    if !triesNever || sweep.thing.range.upperBound != .max { goOn() }
  }

  /// Ends the sweeps early.
  ///
  /// - Parameter cause: What ends them, such as `Ctrl-C`.
  package mutating func stop(by cause: String) {
    guard let sweep else { return }
    cuts.append("stopped by \(cause) before \(sweep.thing.words) was moved everywhere")
    findings.removeLast()
    (things, self.sweep) = ([], nil)
  }

  private mutating func goOn() {
    sweep = things?.popFirst().map { thing in
      TimeSweep(thing, upTo: limit ?? max(end, thing.usual).advanced(by: .seconds(1)))
    }
    if let sweep { findings.append(Finding(thing: sweep.thing)) }
  }
}

extension VirtualTime {
  /// How far another time is away.
  func gap(to other: VirtualTime) -> Interval {
    self < other ? distance(to: other) : other.distance(to: self)
  }
}
