import Streams
import TestSupport
import Testing

@Suite struct SequenceTests {
  /// A sequence that logs its iteration.
  struct Logged: Sequence {
    let log: CallLog
    let count: Int

    struct Iterator: IteratorProtocol {
      let sequence: Logged
      var last = 0

      mutating func next() -> Int? {
        guard last < sequence.count else {
          sequence.log.append("next: end")
          return nil
        }
        last += 1
        sequence.log.append("next: \(last)")
        return last
      }
    }

    func makeIterator() -> Iterator {
      log.append("makeIterator")
      return Iterator(sequence: self)
    }
  }

  /// The two ways in which a sequence reaches a subscriber.
  enum Path: CaseIterable {
    case throughRequest, throughFrame

    func attach<Elements: Sequence<Int>>(_ history: History<Int, Never>, to elements: Elements) {
      switch self {
      case .throughRequest: elements.publisher.subscribe(history)
      case .throughFrame: elements.publisher.subscribe(EndingSubscriber(history))
      }
    }
  }

  typealias Event = History<Int, Never>.Event

  let log = CallLog()

  /// Sequences without a description of their own are called `Sequence`, as in Combine.
  @Test func isDescribedByItsSequence() {
    expectEqual(description([1, 2].publisher), "[1, 2]")
    expectEqual(description((1...3).publisher), "1...3")
    expectEqual(description("ab".publisher), "ab")
    expectEqual(description(Set([7]).publisher), "[7]")
    expectEqual(description(stride(from: 0, to: 5, by: 2).publisher), "Sequence")
    expectEqual(description((1...7).publisher.dropFirst(4)), "Sequence")
    expectEqual(description(zip([1], [2]).publisher), "Sequence")
  }

  /// The name of the subscription.
  private func description(_ publisher: some Publisher) -> String? {
    publisher.history(demand: .none).lines.first.map { String($0.dropFirst("subscription ".count)) }
  }

  @Test(arguments: Path.allCases) func deliversWhatIsRequestedInTheCallThatRequestsIt(path: Path) {
    let history = History<Int, Never>(demand: .max(2))
    path.attach(history, to: [1, 2, 3, 4])
    let subscription = Event.subscription("[1, 2, 3, 4]")
    expectEqual(history.events, [subscription, .value(1), .value(2)])
    history.request(1)
    expectEqual(history.events, [subscription, .value(1), .value(2), .value(3)])
    history.request(.unlimited)
    expectEqual(
      history.events, [subscription, .value(1), .value(2), .value(3), .value(4), .finished])
    history.request(1)
    history.cancel()
    expectEqual(history.events.count, 6)
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(3), .max(4), .max(.max), .unlimited])
  func theCompletionArrivesRightAfterTheLastValue(path: Path, demand: Subscribers.Demand) {
    let history = History<Int, Never>(demand: demand)
    path.attach(history, to: 1...3)
    expectEqual(
      history.events, [.subscription("1...3"), .value(1), .value(2), .value(3), .finished])
  }

  @Test(arguments: Path.allCases) func anEmptySequenceEndsWithoutDemand(path: Path) {
    let history = History<Int, Never>(demand: .none)
    path.attach(history, to: [])
    expectEqual(history.events, [.subscription("Empty"), .finished])
  }

  @Test(arguments: Path.allCases) func theIteratorIsOneElementAhead(path: Path) {
    let history = History<Int, Never>(demand: .none)
    let elements = Logged(log: log, count: 3)
    path.attach(history, to: elements)
    expectEqual(log.lines, ["makeIterator", "next: 1"])
    history.request(1)
    expectEqual(log.lines, ["makeIterator", "next: 1", "next: 2"])
    history.request(.unlimited)
    expectEqual(log.lines, ["makeIterator", "next: 1", "next: 2", "next: 3", "next: end"])
  }

  @Test func eachSubscriberHasItsOwnIterator() {
    let publisher = Logged(log: log, count: 2).publisher
    expectEqual(log.lines, [])
    let first = publisher.history(demand: .max(1))
    let second = publisher.history()
    first.request(1)
    expectEqual(first.values, [1, 2])
    expectEqual(second.values, [1, 2])
    expectEqual(log.lines.count { $0 == "makeIterator" }, 2)
  }

  @Test(arguments: Path.allCases) func demandReturnedAndRequestedInsideAValueAddsUp(path: Path) {
    let history = History<Int, Never>(demand: .max(1))
    history.onValue = { [log] value in
      log.append("begin \(value)")
      defer { log.append("end \(value)") }
      guard value == 1 else { return .none }
      history.request(1)
      history.request(1)
      return .max(1)
    }
    path.attach(history, to: 1...10)
    expectEqual(history.values, [1, 2, 3, 4])
    // The deliveries don't nest.
    expectEqual(log.lines, (1...4).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(1 << 40), .max(.max), .unlimited])
  func anyDemandMayBeReturned(path: Path, demand: Subscribers.Demand) {
    for initial in [Subscribers.Demand.max(1), .max(.max)] {
      let history = History<Int, Never>(demand: initial)
      history.onValue = { $0 == 1 ? .max(1) : demand }
      path.attach(history, to: 1...5)
      expectEqual(history.values, [1, 2, 3, 4, 5])
      expectEqual(history.completion, .finished)
    }
  }

  @Test(arguments: Path.allCases) func demandReturnedForOneValueIsServedWithTheRest(path: Path) {
    let history = History<Int, Never>(demand: .max(2))
    history.onValue = { $0 == 2 ? .max(2) : .none }
    path.attach(history, to: 1...6)
    expectEqual(history.values, [1, 2, 3, 4])
    history.request(1)
    expectEqual(history.values, [1, 2, 3, 4, 5])
    expectEqual(history.completion, nil)
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(1), .max(5), .unlimited])
  func aCancellationInsideAValueStops(path: Path, demand: Subscribers.Demand) {
    let history = History<Int, Never>(demand: demand, perValue: .max(1))
    history.onValue = { value in
      if value == 2 {
        history.cancel()
        history.request(1)
      }
      return .none
    }
    path.attach(history, to: Logged(log: log, count: 5))
    expectEqual(history.values, [1, 2])
    expectEqual(history.completion, nil)
    expectEqual(log.lines, ["makeIterator", "next: 1", "next: 2", "next: 3"])
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(5), .unlimited])
  func aCancellationInsideTheIteratorStopsAtOnce(path: Path, demand: Subscribers.Demand) {
    let history = History<Int, Never>(demand: demand)
    path.attach(
      history,
      to: AnySequence {
        var count = 0
        return AnyIterator {
          count += 1
          // The iterator is one element ahead, so 2 hasn't been delivered yet.
          if count == 3 { history.cancel() }
          return count
        }
      })
    expectEqual(history.values, [1])
    expectEqual(history.completion, nil)
  }

  enum Place: CaseIterable { case aValue, theLastRequestedValue, theIterator }

  @Test(arguments: Path.allCases, Place.allCases)
  func aCancellationReleasesDownstreamAtOnce(path: Path, in place: Place) {
    weak var downstream: History<Int, Never>?
    var subscription: (any Subscription)?
    do {
      let history = History<Int, Never>()
      downstream = history
      history.onSubscription = {
        subscription = $0
        $0.request(.max(place == .theLastRequestedValue ? 2 : 5))
      }
      history.onValue = { value in
        if value == 2, place != .theIterator { subscription?.cancel() }
        return .none
      }
      path.attach(
        history,
        to: (1...9).lazy.map { value in
          // The iterator is one element ahead.
          if value == 4, place == .theIterator { subscription?.cancel() }
          return value
        })
      expectEqual(history.values, [1, 2])
      history.onValue = nil
      history.onSubscription = nil
    }
    #expect(downstream == nil)
    #expect(subscription != nil)
    // The sequence refers to it.
    subscription = nil
  }

  @Test(arguments: Path.allCases) func aSubscriptionThatHasEndedIsCalledSequence(path: Path) {
    let finished = History<Int, Never>()
    let cancelled = History<Int, Never>(demand: .max(1))
    var subscriptions: [any Subscription] = []
    for history in [finished, cancelled] {
      history.onSubscription = {
        subscriptions.append($0)
        $0.request(.max(1))
      }
      path.attach(history, to: 1...3)
    }
    finished.request(2)
    cancelled.cancel()
    expectEqual(
      finished.events, [.subscription("1...3"), .value(1), .value(2), .value(3), .finished])
    expectEqual(subscriptions.map { "\($0)" }, ["Sequence", "Sequence"])
  }

  @Test(arguments: Path.allCases) func aCancellationFromAnotherThreadStops(path: Path) {
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 10 { onAnotherThread { history.cancel() } }
      return .none
    }
    path.attach(history, to: sequence(first: 1) { $0 + 1 })
    expectEqual(history.values, Array(1...10))
    expectEqual(history.completion, nil)
  }

  @Test(arguments: Path.allCases) func aRequestForZeroValuesHasNoEffect(path: Path) {
    let history = History<Int, Never>(demand: .max(1))
    path.attach(history, to: [1, 2])
    history.request(.none)
    expectEqual(history.values, [1])
  }

  @Test(arguments: Path.allCases, [true, false])
  func releasesTheSubscriberAndTheIteratorAtTheEnd(path: Path, isCancelled: Bool) {
    var subscription: (any Subscription)?
    weak var subscriber: History<Int, Never>?
    weak var iterator: Token?
    do {
      let history = History<Int, Never>()
      history.onSubscription = {
        subscription = $0
        $0.request(.max(1))
      }
      subscriber = history
      path.attach(
        history,
        to: AnySequence {
          let token = Token()
          iterator = token
          var count = 0
          return AnyIterator {
            token.touch()
            count += 1
            return count < 4 ? count : nil
          }
        })
      history.releaseSubscription()
    }
    #expect(subscriber != nil)
    #expect(iterator != nil)
    if isCancelled { subscription?.cancel() } else { subscription?.request(.unlimited) }
    #expect(subscriber == nil)
    #expect(iterator == nil)
  }

  @Test(arguments: Path.allCases) func threadsThatRequestGetAllInOrderOneAtATime(path: Path) {
    let history = History<Int, Never>(demand: .none)
    let inside = Locked(0)
    let isSerial = Locked(true)
    history.onValue = { _ in
      let count = inside.withLock { inside -> Int in
        inside += 1
        return inside
      }
      if count != 1 { isSerial.withLock { $0 = false } }
      inside.withLock { $0 -= 1 }
      return .none
    }
    path.attach(history, to: 1...1000)
    onThreads(2) { _ in for _ in 0..<500 { history.request(1) } }
    expectEqual(history.values, Array(1...1000))
    expectEqual(history.completion, .finished)
    #expect(isSerial.withLock { $0 })
  }

  @Test(arguments: Path.allCases) func oneThreadMayRequestWhileAnotherCancels(path: Path) {
    for _ in 0..<100 {
      weak var released: History<Int, Never>?
      do {
        let history = History<Int, Never>(demand: .none)
        released = history
        path.attach(history, to: 1...20)
        onThreads(2) { thread in
          if thread == 1 { return history.cancel() }
          for _ in 0..<20 { history.request(1) }
        }
        expectEqual(history.values, Array(1...20).prefix(history.values.count).map { $0 })
        history.releaseSubscription()
      }
      #expect(released == nil)
    }
  }
}
