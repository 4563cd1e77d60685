import Streams
import StubNetwork
import Testing
import Timeline
import VirtualTime
import VirtualWorld

/// Decides which runs a test makes, and learns from each of them.
protocol TestSearch<Outcome> {
  associatedtype Outcome

  /// Whether it compares what the recorders received. Reading that counts as looking at them.
  static var readsRecorders: Bool { get }

  /// Whether a problem of the first run, which fails the test, ends the search.
  static var endsWithProblems: Bool { get }

  /// What to run next; `nil` at the end.
  mutating func next() -> Variation?

  mutating func note(_ run: TestRun<Outcome>)
}

extension TestSearch {
  static var readsRecorders: Bool { false }
  static var endsWithProblems: Bool { true }
}

/// A run of a test in a world of its own.
struct TestRun<Outcome> {
  let variation: Variation

  /// What the body returned; `nil` if it threw an error.
  fileprivate(set) var outcome: Outcome?

  /// The error that the body threw.
  fileprivate(set) var error: (any Error)?

  /// The problems of the world as parts of an outcome, in which times don't count.
  fileprivate(set) var problems: [String] = []

  // Of the world when the body had returned. They're empty if it threw.
  /// What the recorders received, and the requests, if the search reads them.
  fileprivate(set) var recorded: [String] = []
  fileprivate(set) var recording = Timeline.Recording.Part(events: [])
  fileprivate(set) var choices: [OrderChoice] = []
  fileprivate(set) var possibleFaults: [NetworkFault] = []
  fileprivate(set) var script = Script()
  fileprivate(set) var end = VirtualTime.zero
  fileprivate(set) var actions: [ActionRun] = []
  /// Whether something isn't so that the test expects of the whole run.
  fileprivate(set) var breaksExpectations = false

  fileprivate mutating func note(_ world: World, readsRecorders: Bool) {
    if readsRecorders { recorded = world.outcome.lines }
    recording = .init(events: world.timeline.recordingUnseen.events)
    choices = world.clock.choices
    possibleFaults = world.network.possibleFaults
    end = world.clock.now
    (script, actions) = (world.clock.script, world.clock.actions)
    breaksExpectations = world.breaksExpectations
  }

  /// The run as one of many.
  func trial<Ending>(_ ending: Ending) -> Trials<Ending>.Run {
    .init(ending: ending, recording: recording, choices: choices, possibleFaults: possibleFaults)
  }

  fileprivate func prepare(_ world: World, isFirst: Bool) {
    // A run with a variation may need fewer stubs than the usual one.
    if !isFirst { world.network.allowUnusedStubs() }
    world.network.inject(variation.faults)
  }
}

/// Runs a test once for each variation that a search asks for. The first run is the test's own, so
/// its problems and its error fail the test. Those of the others are only noted.
///
/// - Parameters:
///   - search: Asks for the runs.
///   - location: The place of the test.
///   - reportsFirst: Whether the first run is the test's own, which it isn't in a second search.
///   - body: The test.
/// - Returns: Whether the search is over; `false` if a problem of the first run has ended it.
@discardableResult
func makeRuns<Search: TestSearch>(
  _ search: inout Search, at location: SourceLocation, reportsFirst: Bool = true,
  _ body: (World) throws -> Search.Outcome
) rethrows -> Bool {
  var isFirst = reportsFirst
  while let variation = search.next() {
    var run = TestRun<Search.Outcome>(variation: variation)
    let problems = ProblemCollector(passesOn: isFirst)
    do {
      run.outcome = try IssueReporter.$current.withValue(problems.reporter) {
        try inWorld(
          variation.schedule, variation.moves, at: location,
          prepare: { run.prepare($0, isFirst: isFirst) }, body
        ) { run.note($0, readsRecorders: Search.readsRecorders) }
      }
    } catch {
      if isFirst { throw error }
      run.error = error
    }
    run.problems = problems.texts
    search.note(run)
    if isFirst, Search.endsWithProblems, !run.problems.isEmpty { return false }
    isFirst = false
  }
  return true
}

/// Runs an asynchronous test once for each variation that a search asks for.
@discardableResult
func makeRuns<Search: TestSearch>(
  _ search: inout Search, isolation: isolated (any Actor)? = #isolation,
  at location: SourceLocation, reportsFirst: Bool = true,
  _ body: (World) async throws -> Search.Outcome
) async rethrows -> Bool {
  var isFirst = reportsFirst
  while let variation = search.next() {
    var run = TestRun<Search.Outcome>(variation: variation)
    let problems = ProblemCollector(passesOn: isFirst)
    do {
      run.outcome = try await IssueReporter.$current.withValue(
        problems.reporter,
        operation: {
          try await inWorld(
            variation.schedule, variation.moves, isolation: isolation, at: location,
            prepare: { run.prepare($0, isFirst: isFirst) }, body
          ) { run.note($0, readsRecorders: Search.readsRecorders) }
        }, isolation: isolation)
    } catch {
      if isFirst { throw error }
      run.error = error
    }
    run.problems = problems.texts
    search.note(run)
    if isFirst, Search.endsWithProblems, !run.problems.isEmpty { return false }
    isFirst = false
  }
  return true
}

/// Collects the problems of a run.
private final class ProblemCollector: Sendable {
  private let messages = Locked<[String]>([])
  private let next: IssueReporter?

  /// - Parameter passesOn: Whether the problems fail the test, too.
  init(passesOn: Bool) { next = passesOn ? .current : nil }

  var reporter: IssueReporter {
    let collect: @Sendable (String, SourceLocation) -> Void = { message, location in
      self.messages.withLock { $0.append(message) }
      self.next?.report(message, location)
    }
    guard let next else { return IssueReporter(report: collect) }
    return IssueReporter(
      report: collect, reportLate: next.reportLate, isOfFramework: next.isOfFramework)
  }

  var texts: [String] {
    let time = #/ at( about)? \d+(ns|us|ms|s)?( to \d+(ns|us|ms|s))?(?!\w)/#
    return messages.withLock { $0 }.map { $0.replacing(time) { _ in "" } }
  }
}
