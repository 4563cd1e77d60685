import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import tiny_streams

/// The last step of tiny-streams against the real library, and against the contract of publishers.
@Suite struct TinyStreamsTests {
  private typealias Event = History<Int, Never>.Event

  /// Does what a seed says: requests, values and a cancellation, from outside and while a value is
  /// received.
  private func run(
    _ seed: UInt64, _ publisher: some Streams.Publisher<Int, Never>, send: (Int) -> Void,
    finish: () -> Void
  ) -> [Event] {
    var random = SplitMix64(seed: seed)
    let history = History<Int, Never>(demand: .max(Int.random(in: 0...2, using: &random)))
    let cancelsAt = Int.random(in: 1...12, using: &random)
    let violations = Locked<[String]>([])
    history.onValue = { value in
      if value == cancelsAt { history.cancel() }
      if value.isMultiple(of: 3) { history.request(1) }
      return value.isMultiple(of: 2) ? .max(1) : .none
    }
    publisher
      .checkingContract(reportingTo: { violation in
        violations.withLock { $0.append("\(violation)") }
      })
      .subscribe(history)
    for step in 1...8 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: history.request(Int.random(in: 1...3, using: &random))
      case 2, 3, 4: send(step)
      default: if Int.random(in: 0..<4, using: &random) == 0 { finish() }
      }
    }
    history.cancel()
    #expect(violations.withLock { $0 } == [], "seed \(seed)")
    // The subscriptions have descriptions of their own.
    return history.events.filter { if case .subscription = $0 { false } else { true } }
  }

  @Test(arguments: 0..<200)
  func aSequenceDoesWhatTheRealOneDoes(seed: UInt64) {
    let elements = Array(1...Int(seed % 9 + 1))
    let tiny = Adapter(Step5.Sequence(elements: elements).map { $0 + 1 })
    let real = elements.publisher.map { $0 + 1 }
    #expect(
      run(seed, tiny, send: { _ in }, finish: {}) == run(seed, real, send: { _ in }, finish: {}))
  }

  @Test(arguments: 0..<200)
  func aSubjectDoesWhatTheRealOneDoes(seed: UInt64) {
    let tiny = Step5.PassthroughSubject<Int>()
    let real = PassthroughSubject<Int, Never>()
    #expect(
      run(
        seed, Adapter(tiny.map { $0 + 1 }), send: tiny.send,
        finish: { tiny.send(completion: .finished) })
        == run(
          seed, real.map { $0 + 1 }, send: real.send, finish: { real.send(completion: .finished) }))
  }

  @Test func requestsWithinValuesDoNotNestTheirCalls() {
    let history = History<Int, Never>(demand: .max(1))
    var (depth, deepest) = (0, 0)
    history.onValue = { _ in
      depth += 1
      deepest = max(depth, deepest)
      history.request(1)
      depth -= 1
      return .none
    }
    Adapter(Step5.Sequence(elements: Array(1...100))).subscribe(history)
    #expect(history.values == Array(1...100))
    #expect(deepest == 1)
  }

  /// The page's exercise.
  @Test func aFilterAsksForAnotherValueInsteadOfADroppedOne() {
    let history = History<Int, Never>(demand: .max(2))
    let even = Filter(upstream: Step5.Sequence(elements: [1, 2, 3, 4, 5, 6])) {
      $0.isMultiple(of: 2)
    }
    Adapter(even).subscribe(history)
    #expect(history.values == [2, 4])
  }

  @Test func releasingTheCancellableCancels() {
    let subject = Step5.PassthroughSubject<Int>()
    var received: [Int] = []
    var cancellable: Step5.AnyCancellable? = subject.sink { received.append($0) }
    subject.send(1)
    _ = cancellable
    cancellable = nil
    subject.send(2)
    #expect(received == [1])
  }
}

private struct Filter<Upstream: Step5.Publisher>: Step5.Publisher {
  typealias Output = Upstream.Output
  let upstream: Upstream
  let isIncluded: (Output) -> Bool

  func receive(subscriber: some Step5.Subscriber<Output>) {
    upstream.receive(subscriber: Inner(downstream: subscriber, isIncluded: isIncluded))
  }

  private final class Inner<Downstream: Step5.Subscriber>: Step5.Subscriber
  where Downstream.Input == Output {
    private let downstream: Downstream
    private let isIncluded: (Output) -> Bool

    init(downstream: Downstream, isIncluded: @escaping (Output) -> Bool) {
      self.downstream = downstream
      self.isIncluded = isIncluded
    }

    func receive(subscription: any Step5.Subscription) {
      downstream.receive(subscription: subscription)
    }

    // region: filter
    func receive(_ input: Output) -> Step5.Demand {
      isIncluded(input) ? downstream.receive(input) : .max(1)
    }
    // endregion

    func receive(completion: Step5.Completion) { downstream.receive(completion: completion) }
  }
}

/// A publisher of tiny-streams as one of the library.
private struct Adapter<Upstream: Step5.Publisher>: Streams.Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Never
  private let upstream: Upstream

  init(_ upstream: Upstream) { self.upstream = upstream }

  func receive<S: Streams.Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    upstream.receive(subscriber: Bridge(subscriber))
  }

  private final class Bridge<S: Streams.Subscriber>: Step5.Subscriber, Streams.Subscription
  where S.Input == Output, S.Failure == Never {
    private let downstream: S
    private var subscription: (any Step5.Subscription)?

    init(_ downstream: S) { self.downstream = downstream }

    func receive(subscription: any Step5.Subscription) {
      self.subscription = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Upstream.Output) -> Step5.Demand {
      Step5.Demand(downstream.receive(input))
    }

    func receive(completion: Step5.Completion) { downstream.receive(completion: .finished) }
    func request(_ demand: Subscribers.Demand) { subscription?.request(Step5.Demand(demand)) }
    func cancel() { subscription?.cancel() }
  }
}

extension Step5.Demand {
  init(_ demand: Subscribers.Demand) {
    self = demand.max.map(Step5.Demand.max) ?? .unlimited
  }
}
