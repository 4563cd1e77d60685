import Streams
import TestSupport
import Testing
import Timeline
import VirtualTime

/// Tests that a timeline knows what each value of an operator is made of, and what let it out.
///
/// The two differ where an operator keeps values: `collect` is made of all its values, and the end
/// of upstream lets it out.
struct OperatorOriginsTests {
  @Test(arguments: Operation.all) func originsAndTriggers(_ operation: Operation) {
    expectEqual(origins(operation, values: 1...5) { $0.finish() }, operation.origins)
  }

  /// A value that comes instead of the failure isn't made of any other.
  @Test(arguments: Operation.all(but: .trapsOnFailure))
  func originsAndTriggersUpToAFailure(_ operation: Operation) {
    let finished = zip(operation.values, operation.origins.split(separator: " "))
    let expected = zip(operation.valuesBeforeFailure, Array(finished) + [("", "")]).map {
      $0 == $1.0 ? $1.1 : "<x"
    }
    expectEqual(
      origins(operation, values: 1...3) { $0.fail("x") }, expected.joined(separator: " "))
  }

  private func origins(
    _ operation: Operation, values: ClosedRange<Int>,
    _ end: (ScriptedPublisher<Int, TestError>) -> Void
  ) -> String {
    let source = ScriptedPublisher<Int, TestError>()
    let run = OriginsRun(operation, source)
    let subscription = run.subscribe(demand: .unlimited)
    for value in values {
      run.act { _ = source.send(value) }
      run.settle()
    }
    run.act { end(source) }
    run.settle()
    subscription?.cancel()
    return run.origins
  }
}

/// An operator between two lanes of a timeline.
struct OriginsRun {
  private let timeline: Timeline
  private let clock: VirtualTimeScheduler
  private let operation: AppliedOperation

  init(_ operation: Operation, _ source: some Publisher<Int, TestError>) {
    let clock = VirtualTimeScheduler(
      name: "clock", limits: .default, takeSite: nil,
      carry: { Timeline.carryingCause($0, isRepeated: $1) }, onFailure: GuardFailure.trap)
    let timeline = Timeline(clock: clock)
    self.clock = clock
    self.timeline = timeline
    self.operation = operation.applied(
      to: source.recorded(as: .source("source"), on: timeline).map { Number($0) },
      Surroundings(clock: clock))
  }

  func subscribe(demand: Subscribers.Demand) -> (any Subscription)? {
    act { operation.record(on: timeline, demand: demand) }
  }

  /// Acts as the program's own code.
  func act<Result>(_ body: () -> Result) -> Result { timeline.recording(body) }

  /// Runs what waits for the clock, for ten seconds of virtual time.
  func settle() { clock.advance(by: .seconds(10)) }

  /// For each value of the operator, the values of the source that it's made of, and the event of
  /// the source that let it out, if that's another one than the last of them.
  var origins: String {
    let events = timeline.recording.events
    let byNumber = Dictionary(uniqueKeysWithValues: events.map { ($0.number, $0) })
    return events.filter { $0.lane.role == .operator && $0.kind.isValue }.map { value in
      let made = value.from.compactMap { byNumber[$0]?.text }
      var event = value
      while event.lane != .source("source"), let cause = event.cause.flatMap({ byNumber[$0] }) {
        event = cause
      }
      return made.joined() + (event.text == made.last ? "" : "<\(event.text)")
    }
    .joined(separator: " ")
  }
}

extension Timeline.Event {
  fileprivate var text: String {
    switch kind {
    case .value(let text): text
    case .finished: "|"
    case .failure: "x"
    default: "?"
    }
  }
}

extension Timeline.Event.Kind {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }
}
