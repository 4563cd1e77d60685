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
    #expect(description([1, 2].publisher) == "[1, 2]")
    #expect(description((1...3).publisher) == "1...3")
    #expect(description("ab".publisher) == "ab")
    #expect(description(Set([7]).publisher) == "[7]")
    #expect(description(stride(from: 0, to: 5, by: 2).publisher) == "Sequence")
    #expect(description((1...7).publisher.dropFirst(4)) == "Sequence")
    #expect(description(zip([1], [2]).publisher) == "Sequence")
  }

  /// The name of the subscription.
  private func description(_ publisher: some Publisher) -> String? {
    publisher.history(demand: .none).lines.first.map { String($0.dropFirst("subscription ".count)) }
  }

  @Test(arguments: Path.allCases) func deliversWhatIsRequestedInTheCallThatRequestsIt(path: Path) {
    let history = History<Int, Never>(demand: .max(2))
    path.attach(history, to: [1, 2, 3, 4])
    let subscription = Event.subscription("[1, 2, 3, 4]")
    #expect(history.events == [subscription, .value(1), .value(2)])
    history.request(1)
    #expect(history.events == [subscription, .value(1), .value(2), .value(3)])
    history.request(.unlimited)
    #expect(
      history.events
        == [subscription, .value(1), .value(2), .value(3), .value(4), .finished])
    history.request(1)
    history.cancel()
    #expect(history.events.count == 6)
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(3), .max(4), .max(.max), .unlimited])
  func theCompletionArrivesRightAfterTheLastValue(path: Path, demand: Subscribers.Demand) {
    let history = History<Int, Never>(demand: demand)
    path.attach(history, to: 1...3)
    #expect(
      history.events
        == [.subscription("1...3"), .value(1), .value(2), .value(3), .finished])
  }

  @Test(arguments: Path.allCases) func anEmptySequenceEndsWithoutDemand(path: Path) {
    let history = History<Int, Never>(demand: .none)
    path.attach(history, to: [])
    #expect(history.events == [.subscription("Empty"), .finished])
  }

  @Test(arguments: Path.allCases) func theIteratorIsOneElementAhead(path: Path) {
    let history = History<Int, Never>(demand: .none)
    let elements = Logged(log: log, count: 3)
    path.attach(history, to: elements)
    #expect(log.lines == ["makeIterator", "next: 1"])
    history.request(1)
    #expect(log.lines == ["makeIterator", "next: 1", "next: 2"])
    history.request(.unlimited)
    #expect(log.lines == ["makeIterator", "next: 1", "next: 2", "next: 3", "next: end"])
  }

  @Test(arguments: Path.allCases)
  func isReleasedWithASubscriberThatReleasesTheSubscription(path: Path) {
    weak var released: History<Int, Never>?
    do {
      let history = History<Int, Never>(demand: .max(1))
      released = history
      path.attach(history, to: 1...3)
      history.releaseSubscription()
    }
    #expect(released == nil)
  }

  @Test func eachSubscriberHasItsOwnIterator() {
    let publisher = Logged(log: log, count: 2).publisher
    #expect(log.lines == [])
    let first = publisher.history(demand: .max(1))
    let second = publisher.history()
    first.request(1)
    #expect(first.values == [1, 2])
    #expect(second.values == [1, 2])
    #expect(log.lines.count { $0 == "makeIterator" } == 2)
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
    #expect(history.values == [1, 2, 3, 4])
    // The deliveries don't nest.
    #expect(log.lines == (1...4).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test(arguments: Path.allCases) func returningDemandForEachValueDeliversAllValues(path: Path) {
    let history = History<Int, Never>(demand: .max(1), perValue: .max(1))
    path.attach(history, to: 1...5)
    #expect(history.values == [1, 2, 3, 4, 5])
    #expect(history.completion == .finished)
  }

  @Test(arguments: Path.allCases, [Subscribers.Demand.max(1 << 40), .max(.max), .unlimited])
  func anyDemandMayBeReturned(path: Path, demand: Subscribers.Demand) {
    for initial in [Subscribers.Demand.max(1), .max(.max)] {
      let history = History<Int, Never>(demand: initial)
      history.onValue = { $0 == 1 ? .max(1) : demand }
      path.attach(history, to: 1...5)
      #expect(history.values == [1, 2, 3, 4, 5])
      #expect(history.completion == .finished)
    }
  }

  @Test(arguments: Path.allCases) func demandReturnedForOneValueIsServedWithTheRest(path: Path) {
    let history = History<Int, Never>(demand: .max(2))
    history.onValue = { $0 == 2 ? .max(2) : .none }
    path.attach(history, to: 1...6)
    #expect(history.values == [1, 2, 3, 4])
    history.request(1)
    #expect(history.values == [1, 2, 3, 4, 5])
    #expect(history.completion == nil)
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
    #expect(history.values == [1, 2])
    #expect(history.completion == nil)
    #expect(log.lines == ["makeIterator", "next: 1", "next: 2", "next: 3"])
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
    #expect(history.values == [1])
    #expect(history.completion == nil)
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
      #expect(history.values == [1, 2])
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
    #expect(
      finished.events == [.subscription("1...3"), .value(1), .value(2), .value(3), .finished])
    #expect(subscriptions.map { "\($0)" } == ["Sequence", "Sequence"])
  }

  @Test(arguments: Path.allCases)
  func aCancellationInsideTheLastValuePreventsTheCompletion(path: Path) {
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 2 { history.cancel() }
      return .none
    }
    path.attach(history, to: 1...2)
    #expect(history.events == [.subscription("1...2"), .value(1), .value(2)])
  }

  @Test(arguments: Path.allCases) func aCancellationFromAnotherThreadStops(path: Path) {
    let history = History<Int, Never>()
    history.onValue = { value in
      if value == 10 { onAnotherThread { history.cancel() } }
      return .none
    }
    path.attach(history, to: sequence(first: 1) { $0 + 1 })
    #expect(history.values == Array(1...10))
    #expect(history.completion == nil)
  }

  @Test(arguments: Path.allCases) func nothingIsDeliveredAfterACancellation(path: Path) {
    let history = History<Int, Never>(demand: .none)
    path.attach(history, to: [1, 2])
    history.cancel()
    history.request(1)
    history.cancel()
    #expect(history.events == [.subscription("[1, 2]")])
  }

  @Test(arguments: Path.allCases) func aRequestForZeroValuesHasNoEffect(path: Path) {
    let history = History<Int, Never>(demand: .max(1))
    path.attach(history, to: [1, 2])
    history.request(.none)
    #expect(history.values == [1])
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
    #expect(history.values == Array(1...1000))
    #expect(history.completion == .finished)
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
        #expect(history.values == Array(1...20).prefix(history.values.count).map { $0 })
        history.releaseSubscription()
      }
      #expect(released == nil)
    }
  }

  @Test func anOperatorWorksAtOnce() {
    let mapped: Publishers.Sequence<[String], Never> = (1...2).publisher.map { [log] value in
      log.append("map \(value)")
      return "\(value)"
    }
    #expect(log.lines == ["map 1", "map 2"])
    #expect(mapped.history().values == ["1", "2"])
    #expect(mapped == ["1", "2"].publisher)
    #expect(log.lines == ["map 1", "map 2"])
  }

  @Test func operatorsKeepAndReplaceElements() {
    let publisher = [1, 2, 3].publisher
    #expect(publisher.compactMap { $0 == 2 ? nil : $0 * 10 } == [10, 30].publisher)
    #expect(publisher.filter { $0 != 2 } == [1, 3].publisher)
    #expect([1, nil, 3].publisher.replaceNil(with: 0) == [1, 0, 3].publisher)
    #expect(publisher.retry(3) == Publishers.Retry(upstream: publisher, retries: 3))
    let typed: Publishers.Sequence<[Int], TestError> = publisher.setFailureType(to: TestError.self)
    #expect(typed.history().events.last == .finished)
  }

  @Test func operatorsAccumulateAtOnce() {
    let publisher = (1...3).publisher
    #expect(publisher.collect().result == .success([1, 2, 3]))
    #expect(publisher.reduce(10, +).result == .success(16))
    #expect(publisher.scan(10, +) == [11, 13, 16].publisher)
    #expect([1, 1, 2, 1].publisher.removeDuplicates() == [1, 2, 1].publisher)
    #expect([nil, nil, 2].publisher.removeDuplicates() == [nil, 2].publisher)
    #expect(publisher.ignoreOutput() == Empty(completeImmediately: true))
    let sum: Result<Int, any Error>.Publisher = publisher.tryReduce(10, +)
    #expect(sum.history().values == [16])
    let thrown = publisher.tryReduce(10) { _, value in throw TestError("\(value)") }
    #expect(thrown.history().events == [.subscription("Empty"), .failure(TestError("1"))])
  }

  @Test func operatorsFindElements() {
    let publisher = [1, 2, 3, 4].publisher
    let none = [Int]().publisher
    #expect([publisher.first(), none.first()] == [Int?.Publisher(1), Int?.Publisher(nil)])
    #expect([publisher.last(), none.last()] == [Int?.Publisher(4), Int?.Publisher(nil)])
    #expect(publisher.first { $0 % 2 == 0 } == Int?.Publisher(2))
    #expect(publisher.last { $0 % 2 == 1 } == Int?.Publisher(3))
    #expect(
      [1, 4, -1].map { publisher.output(at: $0) }
        == [Int?.Publisher(2), Int?.Publisher(nil), Int?.Publisher(nil)])
    #expect(publisher.output(in: 1..<3) == [2, 3].publisher)
    #expect(Array(publisher.prefix(2).sequence) == [1, 2])
    #expect(Array(publisher.prefix(0).sequence) == [])
    #expect([1, 4, 2].publisher.prefix { $0 < 3 } == [1].publisher)
  }

  @Test func operatorsCountElements() {
    let count: Just<Int> = [1, 2].publisher.count()
    let typed: Result<Int, TestError>.Publisher = [1, 2].publisher
      .setFailureType(to: TestError.self).count()
    let slow: Result<Int, Never>.Publisher = Set([1, 2]).publisher.count()
    #expect(count == Just(2))
    #expect(typed.result == .success(2))
    #expect(slow.result == .success(2))
    let place = "abc".publisher.output(at: "abc".startIndex)
    #expect(place == Character?.Publisher("a"))
    let afterwards = "abc".index(after: "abc".startIndex)..<"abc".endIndex
    #expect("abc".publisher.output(in: afterwards).sequence == ["b", "c"])
  }

  @Test func aPrefixOfNegativeLengthTraps() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.prefix(-1) }
  }
}
