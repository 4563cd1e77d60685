import Streams
import TestSupport
import Testing
import VirtualTime

/// Wrong operators and wrong models, each of which has to be found and shrunk to its smallest case.
struct ShrinkerTests {
  /// Looks for a case in which an operator isn't what it says, among it and a few others.
  private func findFailure(
    of wrong: OperatorKind, requestsRest: Bool = false
  ) -> PipelineFailure<PipelineCase>? {
    let names: Set = [
      "filter", "prefix", "removeDuplicates", "catch", "collect(_:)", "count", "handleEvents",
      "receive(on:)", "merge", "share",
    ]
    let kinds = OperatorKind.all.filter { names.contains($0.name) } + [wrong]
    return RunPlan().findFailure(
      PipelineGenerator(kinds: kinds, requestsRest: requestsRest).makeCase)
  }

  @Test func anOperatorWithAWrongValueShrinksToThatValue() throws {
    let failure = try #require(
      findFailure(
        of: .map { upstream, step, _ in
          upstream.map { $0 == 5 ? 0 : $0 &+ step.number }.eraseToAnyPublisher()
        }))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let pipeline = Just(5).setFailureType(to: TestError.self)
            .map { $0 &+ 1 }
          let recorder = PipelineRecorder(on: clock)
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          #expect(recorder.lines == ["0 value 6", "0 finished"])
          // Actual: ["0 value 0", "0 finished"]
        }

        """)
  }

  @Test func anOperatorThatGetsSlowShrinksToOneValueOfASubject() throws {
    let failure = try #require(
      findFailure(
        of: .map { upstream, step, bench in
          upstream.filter { _ in bench.clock.now < .milliseconds(15) }.map { $0 &+ step.number }
            .eraseToAnyPublisher()
        }))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let subject0 = PassthroughSubject<Int, TestError>()
          clock.schedule(after: .milliseconds(15)) { subject0.send(0) }
          let pipeline = subject0
            .map { $0 &+ 1 }
          let recorder = PipelineRecorder(on: clock)
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          #expect(recorder.lines == ["15 value 1"])
          // Actual: []
        }

        """)
  }

  @Test func anOperatorThatIgnoresDemandShrinksToTheBrokenRule() throws {
    let failure = try #require(
      findFailure(
        of: .map { upstream, step, _ in
          Greedy(upstream: upstream.map { $0 &+ step.number }.eraseToAnyPublisher())
            .eraseToAnyPublisher()
        }))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let pipeline = Just(0).setFailureType(to: TestError.self)
            .map { $0 &+ 1 }
          let recorder = PipelineRecorder(on: clock, demand: .max(0))
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          // Broken: value without demand: value 1, but none was requested
          #expect(recorder.lines == [])
          // Actual: ["0 value 1", "0 finished"]
        }

        """)
  }

  @Test func anOperatorThatIgnoresACancellationShrinksToTheBrokenRule() throws {
    let uncancelled = Uncancelled()
    defer { uncancelled.cancelAll() }
    let failure = try #require(
      findFailure(
        of: .map { upstream, step, _ in
          Deaf(
            upstream: upstream.map { $0 &+ step.number }.eraseToAnyPublisher(),
            uncancelled: uncancelled
          )
          .eraseToAnyPublisher()
        }))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let pipeline = Just(0).setFailureType(to: TestError.self)
            .map { $0 &+ 1 }
          let recorder = PipelineRecorder(on: clock, cancelAfter: 1)
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          // Broken: signal after the cancellation: finished
          #expect(recorder.lines == ["0 value 1"])
          // Actual: ["0 value 1", "0 finished"]
        }

        """)
  }

  @Test func anOperatorThatLosesDemandShrinksToTheLostRequest() throws {
    let dropFirst = OperatorKind.named("dropFirst")
    let wrong = OperatorKind(
      dropFirst.name, 1...1, needsImmediateDemand: true, code: dropFirst.code,
      build: { upstream, _, _ in Stingy(upstream: upstream).eraseToAnyPublisher() },
      model: dropFirst.model)
    let failure = try #require(findFailure(of: wrong, requestsRest: true))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let pipeline = [0, 0].publisher.setFailureType(to: TestError.self)
            .dropFirst(1)
          let recorder = PipelineRecorder(on: clock, demand: .max(0))
          clock.schedule(after: .milliseconds(0)) { recorder.request(.max(1)) }
          clock.schedule(after: .milliseconds(60)) { recorder.requestRest(.unlimited) }
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          // Received: ["60 value 0", "60 finished"]
          // Some requests brought no value at once.
          // Expected: ["value 0", "finished"]
        }

        """)
  }

  @Test func aWrongModelOfTheEndShrinksToOneValueAndTheEnd() throws {
    // The model publishes the value that waits when upstream finishes, as other libraries do.
    let debounce = OperatorKind.named("debounce")
    let wrong = OperatorKind(
      debounce.name, debounce.numbers, by: debounce.stride, requests: debounce.requests,
      cancel: debounce.cancel, code: debounce.code, build: debounce.build,
      model: { upstream, step, scripts, start in
        var run = debounce.model(upstream, step, scripts, start)
        let before = upstream(Start(start.subscribed)).signals.dropLast()
        if run.signals.end?.signal == .finished, let last = before.last {
          let end = run.signals.removeLast()
          run.signals += [TimedSignal(end.moment.step(0), last.signal), end]
        }
        return run
      })
    let failure = try #require(findFailure(of: wrong))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let pipeline = Just(0).setFailureType(to: TestError.self)
            .debounce(for: .milliseconds(0), scheduler: clock)
          let recorder = PipelineRecorder(on: clock)
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          #expect(recorder.lines == ["0 value 0", "0 finished"])
          // Actual: ["0 finished"]
        }

        """)
  }

  @Test func aTieThatIsResolvedTheWrongWayIsFound() throws {
    // In the model, a delayed signal comes before everything else of its instant.
    let delay = OperatorKind.named("delay")
    let wrong = OperatorKind(
      delay.name, delay.numbers, by: delay.stride, cancel: delay.cancel, code: delay.code,
      build: delay.build,
      model: { upstream, step, scripts, start in
        var run = delay.model(upstream, step, scripts, start)
        for (index, event) in run.signals.enumerated() {
          run.signals[index].moment =
            Moment.start.step(-1).step(index).scheduled(after: event.moment.time)
        }
        return run
      })
    let failure = try #require(findFailure(of: wrong))
    #expect(
      failure.test == """
        @Test func randomPipeline() {
          let clock = VirtualTimeScheduler()
          let subject0 = PassthroughSubject<Int, TestError>()
          clock.schedule(after: .milliseconds(0)) { subject0.send(1) }
          let pipeline = Just(0).setFailureType(to: TestError.self)
            .delay(for: .milliseconds(0), scheduler: clock)
            .merge(
              with: subject0)
          let recorder = PipelineRecorder(on: clock)
          let log = CallLog()
          pipeline.checkingContract(into: log.append).subscribe(recorder)
          clock.advance(to: .milliseconds(300))
          #expect(log.lines == [])
          #expect(recorder.lines == ["0 value 0", "0 value 1"])
          // Actual: ["0 value 1", "0 value 0"]
        }

        """)
  }

  @Test func theReportSaysHowToRunTheCaseAgain() throws {
    let failure = try #require(
      findFailure(of: .map { upstream, _, _ in upstream }))
    #expect(
      "\(failure)".hasPrefix(
        """
        Case \(failure.index) of seed 12 differs from the model.
        Run it again with PIPELINE_SEED=12 PIPELINE_CASE=\(failure.index). It shrinks to this test:

        @Test func randomPipeline() {
        """))
    // The same seed and index give the same case, and so the same report.
    let again = try #require(findFailure(of: .map { upstream, _, _ in upstream }))
    #expect("\(again)" == "\(failure)")
    let plan = try RunPlan(
      environment: ["PIPELINE_SEED": "12", "PIPELINE_CASE": "\(failure.index)"])
    #expect(plan.cases == failure.index..<failure.index + 1)
  }
}

extension PipelineFailure<PipelineCase> {
  fileprivate var test: String { PipelinePrinter(testCase: testCase, problem: problem).code() }
}

extension OperatorKind {
  fileprivate static func named(_ name: String) -> OperatorKind { all.first { $0.name == name }! }

  /// `map` with another way to build it.
  fileprivate static func map(
    _ build:
      @escaping @Sendable (AnyPublisher<Int, TestError>, PipelineOperator, Workbench) ->
      AnyPublisher<Int, TestError>
  ) -> OperatorKind {
    let map = named("map")
    return OperatorKind(
      map.name, map.numbers, demand: map.demand, cancel: map.cancel, code: map.code, build: build,
      model: map.model)
  }
}

/// Requests everything, whatever downstream requests.
private struct Greedy: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  let upstream: AnyPublisher<Int, TestError>

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == TestError {
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { subscription in
          subscriber.receive(subscription: subscription)
          subscription.request(.unlimited)
        },
        receiveValue: { subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}

/// Drops the first value, and doesn't request another one for it.
private struct Stingy: Publisher {
  typealias Output = Int
  typealias Failure = TestError

  let upstream: AnyPublisher<Int, TestError>

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == TestError {
    let hasDropped = Locked(false)
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: { value in
          let isFirst = hasDropped.withLock { hasDropped in
            defer { hasDropped = true }
            return !hasDropped
          }
          return isFirst ? .none : subscriber.receive(value)
        },
        receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}

/// The subscriptions that a ``Deaf`` publisher hasn't cancelled. A test cancels them at its end, so
/// that nothing stays behind.
// `@unchecked`: a test runs its pipelines on one thread.
private final class Uncancelled: @unchecked Sendable {
  private var subscriptions: [any Subscription] = []

  func add(_ subscription: any Subscription) { subscriptions.append(subscription) }

  func cancelAll() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
  }
}

/// Passes no cancellation on.
private struct Deaf: Publisher {
  private struct DeafSubscription: Subscription {
    let upstream: any Subscription
    let combineIdentifier = CombineIdentifier()

    func request(_ demand: Subscribers.Demand) { upstream.request(demand) }
    func cancel() {}
  }

  typealias Output = Int
  typealias Failure = TestError

  let upstream: AnyPublisher<Int, TestError>
  let uncancelled: Uncancelled

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == TestError {
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: {
          uncancelled.add($0)
          subscriber.receive(subscription: DeafSubscription(upstream: $0))
        },
        receiveValue: { subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}
