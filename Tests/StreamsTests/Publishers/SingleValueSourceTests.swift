import Streams
import TestSupport
import Testing

/// Tests the behaviour that all publishers of one known value share.
@Suite struct SingleValueSourceTests {
  enum Kind: String, CaseIterable, Codable {
    case just = "Just"
    case optional = "Optional"
    case result = "Once"
    case future = "Future"
    case sequence = "[7]"
    case record = "[7] of a record"

    var name: String { self == .record ? "[7]" : rawValue }

    func publisher(_ output: Int) -> any Publisher<Int, Never> {
      switch self {
      case .just: Just(output)
      case .optional: Int?.Publisher(output)
      case .result: Result<Int, Never>.Publisher(output)
      case .future: Future<Int, Never> { $0(.success(output)) }
      case .sequence: [output].publisher
      case .record: Record<Int, Never>(output: [output], completion: .finished)
      }
    }
  }

  @Test(arguments: Kind.allCases) func deliversTheValueWhenItIsFirstRequested(kind: Kind) {
    let history = kind.publisher(7).history(demand: .none)
    expectEqual(history.events, [.subscription(kind.name)])
    history.request(1)
    expectEqual(history.events, [.subscription(kind.name), .value(7), .finished])
    history.request(1)
    history.cancel()
    expectEqual(history.events, [.subscription(kind.name), .value(7), .finished])
  }

  @Test(arguments: Kind.allCases) func deliversTheValueToASinkAfterItsSubscription(kind: Kind) {
    let log = CallLog()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
    switch kind {
    case .just: Just(7).subscribe(sink)
    case .optional: Int?.Publisher(7).subscribe(sink)
    case .result: Result<Int, Never>.Publisher(7).subscribe(sink)
    case .future: Future<Int, Never> { $0(.success(7)) }.subscribe(sink)
    case .sequence: [7].publisher.subscribe(sink)
    case .record: Record<Int, Never>(output: [7], completion: .finished).subscribe(sink)
    }
    expectEqual(log.lines, ["7", "finished"])
  }

  @Test(arguments: Kind.allCases) func deliversNothingToASinkThatRefuses(kind: Kind) {
    let log = CallLog()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
    sink.receive(subscription: Subscriptions.empty)
    kind.publisher(7).subscribe(sink)
    expectEqual(log.lines, [])
  }

  @Test(arguments: Kind.allCases) func deliversNothingAfterACancellation(kind: Kind) {
    let history = kind.publisher(7).history(demand: .none)
    history.cancel()
    history.request(1)
    history.cancel()
    expectEqual(history.events, [.subscription(kind.name)])
  }

  @Test(arguments: Kind.allCases)
  func aCancellationInsideTheValuePreventsTheCompletion(kind: Kind) {
    let history = History<Int, Never>()
    history.onValue = { _ in
      history.cancel()
      history.request(1)
      return .max(1)
    }
    kind.publisher(7).subscribe(history)
    expectEqual(history.events, [.subscription(kind.name), .value(7)])
  }

  @Test(arguments: Kind.allCases) func aRequestInsideTheValueHasNoEffect(kind: Kind) {
    let history = History<Int, Never>(demand: .max(1), perValue: .max(1))
    history.onValue = { _ in
      history.request(1)
      return .none
    }
    kind.publisher(7).subscribe(history)
    expectEqual(history.events, [.subscription(kind.name), .value(7), .finished])
  }

  @Test(arguments: Kind.allCases) func subscribersAreIndependent(kind: Kind) {
    let publisher = kind.publisher(7)
    let first = publisher.history(demand: .none)
    let second = publisher.history()
    first.cancel()
    expectEqual(first.events, [.subscription(kind.name)])
    expectEqual(second.events, [.subscription(kind.name), .value(7), .finished])
  }

  @Test(arguments: Kind.allCases, [true, false])
  func releasesTheSubscriberAtTheEnd(kind: Kind, isCancelled: Bool) {
    var subscription: (any Subscription)?
    weak var released: History<Int, Never>?
    do {
      let history = History<Int, Never>()
      released = history
      history.onSubscription = { subscription = $0 }
      kind.publisher(7).subscribe(history)
      history.releaseSubscription()
    }
    #expect(released != nil)
    if isCancelled { subscription?.cancel() } else { subscription?.request(.unlimited) }
    #expect(released == nil)
  }

  @Test(arguments: Kind.allCases, [true, false])
  func isReleasedWithASubscriberThatReleasesTheSubscription(kind: Kind, isEnding: Bool) {
    weak var released: History<Int, Never>?
    do {
      let history = History<Int, Never>(demand: .none)
      released = history
      if isEnding {
        kind.publisher(7).subscribe(EndingSubscriber(history))
      } else {
        kind.publisher(7).subscribe(history)
      }
      history.releaseSubscription()
    }
    #expect(released == nil)
  }

  @Test(arguments: Kind.allCases, [Subscribers.Demand.none, .max(1), .unlimited])
  func emitsRequestedElementsWithinTheAttachingCall(kind: Kind, demand: Subscribers.Demand) {
    let subscription = History<Int, Never>.Event.subscription(kind.name)
    let history = History<Int, Never>(demand: demand)
    kind.publisher(7).subscribe(EndingSubscriber(history))
    expectEqual(
      history.events, (demand == .none ? [subscription] : [subscription, .value(7), .finished]))
    history.request(1)
    expectEqual(history.events, [subscription, .value(7), .finished])

    let cancelled = History<Int, Never>()
    cancelled.onSubscription = { subscription in
      subscription.request(.unlimited)
      subscription.cancel()
    }
    kind.publisher(7).subscribe(EndingSubscriber(cancelled))
    expectEqual(cancelled.events, [subscription])
  }

  @Test(arguments: [Kind.just, .optional, .result, .future])
  func requestingZeroValuesIsAProgrammingError(kind: Kind) async {
    await #expect(processExitsWith: .failure) { [kind = kind as Kind] in
      kind.publisher(7).history(demand: .none).request(.none)
    }
  }

  @Test(arguments: Kind.allCases) func deliversOnceHoweverManyThreadsRequest(kind: Kind) {
    for _ in 0..<100 {
      let history = kind.publisher(7).history(demand: .none)
      onThreads(2) { _ in history.request(1) }
      expectEqual(history.events, [.subscription(kind.name), .value(7), .finished])
    }
  }

  @Test(arguments: Kind.allCases) func oneThreadMayRequestWhileAnotherCancels(kind: Kind) {
    for _ in 0..<100 {
      weak var released: History<Int, Never>?
      do {
        let history = kind.publisher(7).history(demand: .none)
        released = history
        onThreads(2) { thread in
          if thread == 0 { history.request(1) } else { history.cancel() }
        }
        let all: [History<Int, Never>.Event] = [
          .subscription(kind.name), .value(7), .finished,
        ]
        expectEqual(history.events, Array(all.prefix(history.events.count)))
        history.releaseSubscription()
      }
      #expect(released == nil)
    }
  }
}
