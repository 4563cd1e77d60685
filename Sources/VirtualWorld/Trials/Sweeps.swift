import Timeline
import VirtualTime

/// What a program does when each thing that its script decides comes at other times.
///
/// It runs nothing itself. Ask it for moves, run the program with them, and tell it what happened,
/// until it has no more:
///
/// ```
/// while let variation = sweeps.next() {
///   sweeps.note(…)
/// }
/// ```
///
/// The first run is the usual one. Then each thing is moved, one at a time. With orders, a time at
/// which something meets something else is also tried in the other orders of that instant.
package struct Sweeps<Ending: Hashable> {
  /// How far things are moved.
  package enum Reach {
    /// To any time up to this one; `nil` for a second after the end of the usual run.
    case upTo(VirtualTime?)
    /// By this much at most.
    case within(VirtualTime.Interval)
  }

  /// A run, as far as it matters here.
  package struct Run {
    package let ending: Ending
    let recording: Timeline.Recording.Part
    let actions: [ActionRun]
    package let choices: [OrderChoice]
    let script: Script
    let end: VirtualTime

    /// - Parameters:
    ///   - ending: What's compared.
    ///   - recording: The record of the run.
    ///   - actions: The actions of the clock.
    ///   - choices: The choices of the clock, if it made any.
    ///   - script: What the script of the run decided. Only that of the first run counts.
    ///   - end: When the run ended.
    package init(
      ending: Ending, recording: Timeline.Recording.Part, actions: [ActionRun],
      choices: [OrderChoice] = [], script: Script, end: VirtualTime
    ) {
      (self.ending, self.recording, self.actions) = (ending, recording, actions)
      (self.choices, self.script, self.end) = (choices, script, end)
    }
  }

  /// Another ending than the usual one, and what leads there.
  package struct Change {
    package let ending: Ending
    package let move: Move
    /// The times that lead there; `nil` if it's another order at one time.
    package let range: TimeSweep<Ending>.Range?
    /// The other order at that time; `nil` for the usual one.
    package let tie: Tie?
  }

  /// A departure from the usual order at a time at which something meets something else.
  package struct Tie {
    package let time: VirtualTime
    package let schedule: Schedule
    /// The order in words, such as `600ms: request 2 before request 1`.
    package let order: String
  }

  /// What one thing's times lead to.
  package struct Finding {
    package let thing: ScriptedThing
    package fileprivate(set) var ranges: [TimeSweep<Ending>.Range] = []
    /// Whether all its times and orders were tried.
    package fileprivate(set) var isComplete = false

    /// What happens if it doesn't come at all; `nil` if it always does.
    package fileprivate(set) var never: Ending?

    /// The other orders that lead to another ending than the usual order at the same time.
    package fileprivate(set) var ties: [(tie: Tie, ending: Ending)] = []

    /// The last time that was tried.
    package fileprivate(set) var last = VirtualTime.zero

    /// The range of the usual time.
    package var usual: TimeSweep<Ending>.Range? { ranges.first { $0.contains(thing.usual) } }

    /// Another ending that's closest to the usual time, or else one that another order leads to;
    /// `nil` if there's none.
    package var closestChange: Change? {
      let changes = ranges.map { range in
        Change(
          ending: range.ending, move: Move(thing.address, to: range.closest(to: thing.usual)),
          range: range, tie: nil)
      }
      let orders = ties.map { tie, ending in
        Change(ending: ending, move: Move(thing.address, to: tie.time), range: nil, tie: tie)
      }
      return closest(of: changes) ?? closest(of: orders)
    }

    private func closest(of changes: [Change]) -> Change? {
      let time = thing.usual
      return changes.filter { $0.ending != usual?.ending }
        .min { time.gap(to: $0.move.time) < time.gap(to: $1.move.time) }
    }

    /// Whether all times and orders have one ending.
    package var isIndependent: Bool { closestChange == nil }
  }

  /// What runs next.
  private enum Phase {
    case usual
    /// A thing at other times.
    case times(TimeSweep<Ending>)
    /// A thing at times that have other orders.
    case orders(ScriptedThing, ArraySlice<Tie>)
    case never(ScriptedThing)
    case done
  }

  /// The moves of all runs.
  let moves: [Move]
  private let isIncluded: (ScriptedThing) -> Bool
  private let reach: Reach
  private let triesOrders: Bool
  private let triesNever: Bool
  private var phase = Phase.usual
  /// The things that are moved after the present one.
  private var rest: ArraySlice<ScriptedThing> = []
  private var end = VirtualTime.zero

  /// What the script of the usual run decided.
  package private(set) var script = Script()

  /// What was found, in the order in which the script decides.
  package private(set) var findings: [Finding] = []

  /// The usual ending; `nil` before the first run.
  package private(set) var usualEnding: Ending?

  /// How many runs were made, with the usual one.
  package private(set) var runCount = 0

  /// Where it ended although there was more to try, in words.
  package private(set) var cuts: [String] = []

  /// - Parameters:
  ///   - moves: The moves of all runs.
  ///   - reach: How far things are moved.
  ///   - triesOrders: Whether to try the other orders where something meets something else.
  ///   - triesNever: Whether to try what happens if a thing doesn't come at all.
  ///   - isIncluded: Whether to move a thing.
  package init(
    moves: [Move] = [], _ reach: Reach = .upTo(nil), orders triesOrders: Bool = false,
    never triesNever: Bool = true,
    where isIncluded: @escaping (ScriptedThing) -> Bool = { _ in true }
  ) {
    (self.moves, self.reach, self.isIncluded) = (moves, reach, isIncluded)
    (self.triesOrders, self.triesNever) = (triesOrders, triesNever)
  }

  /// How many things are left, with the present one.
  package var thingsLeft: Int {
    switch phase {
    case .usual, .done: 0
    case .times, .orders, .never: rest.count + 1
    }
  }

  /// The endings, in the order in which the findings have them. The first is the usual one.
  package var endings: [Ending] {
    var endings = [usualEnding].compactMap(\.self)
    for finding in findings {
      let own = finding.ranges.map(\.ending) + finding.ties.map(\.ending) + [finding.never]
      for case let ending? in own where !endings.contains(ending) { endings.append(ending) }
    }
    return endings
  }

  /// What to run next; `nil` at the end.
  package func next() -> Variation? {
    let usual = triesOrders ? Schedule.usual : nil
    func moving(_ thing: ScriptedThing, to time: VirtualTime, _ order: Schedule?) -> Variation {
      Variation(schedule: order, moves: moves + [Move(thing.address, to: time)])
    }
    switch phase {
    case .usual: return Variation(schedule: usual, moves: moves)
    case .times(let sweep): return sweep.next().map { moving(sweep.thing, to: $0, usual) }
    case .orders(let thing, let ties):
      return ties.first.map { moving(thing, to: $0.time, $0.schedule) }
    case .never(let thing): return moving(thing, to: .max, usual)
    case .done: return nil
    }
  }

  /// Notes what happened with the variation that ``next()`` returned.
  package mutating func note(_ run: Run) {
    runCount += 1
    switch phase {
    case .usual:
      let moved = Set(moves.map(\.address))
      rest = run.script.things.filter { !moved.contains($0.address) && isIncluded($0) }[...]
      (usualEnding, end, script) = (run.ending, run.end, run.script)
      goToNextThing()
    case .times(var sweep):
      sweep.note(run.ending, run.recording, actions: run.actions, choices: run.choices)
      phase = .times(sweep)
      if sweep.next() == nil { finish(sweep) }
    case .orders(let thing, let ties):
      if let tie = ties.first { add(run.ending, tie) }
      go(to: .orders(thing, ties.dropFirst()))
    case .never:
      findings[findings.count - 1].never = run.ending
      goToNextThing()
    case .done: preconditionFailure("there was nothing left to run")
    }
  }

  /// Ends the sweeps early.
  ///
  /// - Parameter cause: What ends them, such as `Ctrl-C`.
  package mutating func stop(by cause: String) {
    guard let last = findings.last, !last.isComplete else { return }
    cuts.append("stopped by \(cause) before \(last.thing.words) was moved everywhere")
    findings.removeLast()
    (phase, rest) = (.done, [])
  }

  /// Notes what a thing's times lead to.
  private mutating func finish(_ sweep: TimeSweep<Ending>) {
    findings[findings.count - 1].ranges = sweep.ranges
    findings[findings.count - 1].last = sweep.times.upperBound
    if sweep.isCut {
      cuts.append("\(sweep.thing.words): stopped after \(sweep.runCount) runs, and there's more")
    }
    go(to: .orders(sweep.thing, triesOrders ? otherOrders(in: sweep)[...] : []))
  }

  /// Goes to the orders of a thing, or if there's none left, to what comes after them.
  private mutating func go(to next: Phase) {
    phase = next
    guard case .orders(let thing, let ties) = next, ties.isEmpty else { return }
    if triesNever { phase = .never(thing) } else { goToNextThing() }
  }

  /// Notes another order, if it leads elsewhere.
  private mutating func add(_ ending: Ending, _ tie: Tie) {
    let finding = findings[findings.count - 1]
    guard finding.ranges.first(where: { $0.contains(tie.time) })?.ending != ending else { return }
    findings[findings.count - 1].ties.append((tie, ending))
  }

  private func otherOrders(in sweep: TimeSweep<Ending>) -> [Tie] {
    sweep.ties.flatMap { time, choice in
      choice.candidates.indices.dropFirst().map { pick in
        Tie(
          time: time, schedule: Schedule([choice.departure(to: pick)]),
          order: choice.description(of: pick))
      }
    }
  }

  private mutating func goToNextThing() {
    if !findings.isEmpty { findings[findings.count - 1].isComplete = true }
    guard let thing = rest.popFirst() else { return phase = .done }
    findings.append(Finding(thing: thing))
    switch reach {
    case .upTo(let limit):
      let limit = limit ?? max(end, thing.usual).advanced(by: .seconds(1))
      phase = .times(TimeSweep(thing, upTo: limit))
    case .within(let interval):
      phase = .times(within(interval, thing))
    }
  }

  /// A sweep around the usual time of a thing. What a test does itself keeps its order.
  private func within(
    _ interval: VirtualTime.Interval, _ thing: ScriptedThing
  ) -> TimeSweep<Ending> {
    let usual = thing.usual
    let step = TimeSweep<Ending>.step
    let others = script.things.filter {
      $0.series != nil && $0.series == thing.series && $0.address != thing.address
    }
    .map(\.usual)
    let before = others.filter { $0 <= usual }.max().map { min(usual, $0.advanced(by: step)) }
    let after = others.filter { $0 >= usual }.min()
      .map { max(usual, $0.advanced(by: .zero - step)) }
    return TimeSweep(
      thing, from: max(usual.advanced(by: .zero - interval), before ?? .zero),
      upTo: min(usual.advanced(by: interval), after ?? .max))
  }
}

extension VirtualTime {
  /// How far another time is away.
  func gap(to other: VirtualTime) -> Interval {
    self < other ? distance(to: other) : other.distance(to: self)
  }

  /// The closest time in a range.
  func clamped(to range: ClosedRange<VirtualTime>) -> VirtualTime {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
