import TestSupport
import Testing

@testable import Streams

private typealias Source = ScriptedPublisher<Int, TestError>

/// `flatMap` and `merge` deliver the values of a sequence without subscribing to it, if the demand
/// is unlimited. The difference is invisible: all histories equal those of the same sequences
/// behind an erased type.
struct FlatMapSequenceTests {
  /// The action when the iterator makes its second element, or downstream receives that.
  enum Plot: CaseIterable {
    case nothing, cancelInside, sendInside, finishInside, failInside, requestInside
    case cancelInIterator, finishInIterator, failInIterator, sendInIterator

    var isInIterator: Bool {
      [.cancelInIterator, .finishInIterator, .failInIterator, .sendInIterator].contains(self)
    }
  }

  /// All calls of iterators, and the signals that upstream and downstream received.
  private func lines(
    isErased: Bool, _ demand: Subscribers.Demand, _ maxPublishers: Subscribers.Demand, _ plot: Plot
  ) -> [String] {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: demand, log: log)
    var hasActed = false
    let act = {
      if hasActed { return }
      hasActed = true
      switch plot {
      case .nothing: break
      case .requestInside: history.request(1)
      case .cancelInside, .cancelInIterator: history.cancel()
      case .sendInside, .sendInIterator: log.append("demand after 5: \(source.send(5))")
      case .finishInside, .finishInIterator: source.finish()
      case .failInside, .failInIterator: source.fail("enough")
      }
    }
    history.onValue = { value in
      if !plot.isInIterator, value == 11 { act() }
      log.append("end of \(value)")
      return .none
    }
    let sequence = { (value: Int) -> Publishers.Sequence<AnySequence<Int>, TestError> in
      Publishers.Sequence(
        sequence: AnySequence { () -> AnyIterator<Int> in
          log.append("iterator")
          var count = 0
          return AnyIterator {
            log.append("next \(count)")
            if plot.isInIterator, value == 1, count == 1 { act() }
            count += 1
            return count <= value + 1 ? 10 * value + count - 1 : nil
          }
        })
    }
    if isErased {
      source.flatMap(maxPublishers: maxPublishers) { sequence($0).eraseToAnyPublisher() }
        .subscribe(history)
    } else {
      source.flatMap(maxPublishers: maxPublishers) { sequence($0) }.subscribe(history)
    }
    for value in [1, -1, 2] { log.append("demand after \(value): \(source.send(value))") }
    history.request(1)
    log.append("end")
    source.finish()
    history.request(.unlimited)
    history.onValue = nil
    history.releaseSubscription()
    return log.lines
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .max(3), .unlimited], Plot.allCases)
  func historiesEqualThoseBehindAnErasedType(_ demand: Subscribers.Demand, _ plot: Plot) {
    for maxPublishers in [Subscribers.Demand.max(1), .max(2), .unlimited] {
      #expect(
        lines(isErased: false, demand, maxPublishers, plot)
          == lines(isErased: true, demand, maxPublishers, plot), "\(maxPublishers)")
    }
  }

  @Test func sequencesAreNotSubscribedTo() {
    // The speed depends on this. If it fails, the test above compares nothing.
    var values: [Int] = []
    var wanted = 2
    let isWanted = {
      wanted -= 1
      return wanted >= 0
    }
    #expect([1, 2].publisher._deliverAll(while: { true }) { values.append($0) }.value)
    #expect(values == [1, 2])
    #expect([3, 4].publisher._deliverAll(while: isWanted) { values.append($0) }.value)
    #expect(values == [1, 2, 3])
    let failing = Publishers.SetFailureType<_, TestError>(upstream: [5].publisher)
    #expect(failing._deliverAll(while: { true }) { values.append($0) }.value)
    #expect(values == [1, 2, 3, 5])
    #expect(![6].publisher.eraseToAnyPublisher()._deliverAll(while: { true }) { _ in }.value)
  }

  @Test func anEndlessSequenceStopsAtACancellation() {
    let history = Just(0).flatMap { _ in (1...).publisher }.prefix(3).history()
    #expect(history.values == [1, 2, 3])
    #expect(history.events.last == .finished)
  }

  @Test func aFailureOfAnotherPublisherOnAnotherThreadStopsASequence() {
    let subject = PassthroughSubject<Int, TestError>()
    let history = History<Int, TestError>()
    let hasBegun = Locked(false)
    history.onValue = { value in
      if value == 100 { hasBegun.withLock { $0 = true } }
      return .none
    }
    let endless = Publishers.Sequence<PartialRangeFrom<Int>, TestError>(sequence: 1...)
    onThreads(2) { index in
      if index == 0 {
        subject.merge(with: endless).subscribe(history)
      } else {
        while !hasBegun.withLock({ $0 }) {}
        subject.send(completion: .failure("enough"))
      }
    }
    #expect(history.values == Array(1...history.values.count))
    #expect(history.events.last == .failure("enough"))
    history.onValue = nil
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(2), .unlimited])
  func eachValueOfASourceMakesOnePublisher(_ maxPublishers: Subscribers.Demand) {
    let log = CallLog()
    // Upstream is one of the library's sources, so the demand for the next value is returned.
    (1...4).publisher.flatMap(maxPublishers: maxPublishers) { value in
      log.append("transform \(value)")
      return Just(value)
    }
    .subscribe(History(log: log))
    #expect(
      log.lines == ["downstream: subscription FlatMap"]
        + (1...4).flatMap { ["transform \($0)", "downstream: value \($0)"] }
        + ["downstream: finished"])
  }

  /// Passes everything on, and says that returned demand counts.
  private struct Forwarder<Downstream: Subscriber>: Subscriber {
    let downstream: Downstream

    var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

    // The publisher has finished already, or it has been cancelled.
    func receive(completion: Subscribers.Completion<Downstream.Failure>) {}
  }

  /// Passes on the values of a sequence, and finishes when it's told to.
  private final class Interrupted: Publisher {
    typealias Output = Int
    typealias Failure = Never

    private var finishNow: () -> Void = {}

    func finish() {
      finishNow()
      finishNow = {}
    }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
      finishNow = { subscriber.receive(completion: .finished) }
      (1...9).publisher.attach(Forwarder(downstream: subscriber))
    }
  }

  /// The demand is returned, although upstream can finish while a publisher is being made.
  @Test(arguments: [Subscribers.Demand.max(1), .max(2), .unlimited])
  func upstreamMayFinishWhileAPublisherIsBeingMade(_ maxPublishers: Subscribers.Demand) {
    for isErased in [false, true] {
      let source = Interrupted()
      let log = CallLog()
      let make = { (value: Int) in
        if value == 3 { source.finish() }
        return Just(value)
      }
      if isErased {
        source.flatMap(maxPublishers: maxPublishers) { make($0).eraseToAnyPublisher() }
          .subscribe(History(log: log))
      } else {
        source.flatMap(maxPublishers: maxPublishers, make).subscribe(History(log: log))
      }
      #expect(
        log.lines == ["downstream: subscription FlatMap"]
          + (1...3).map { "downstream: value \($0)" } + ["downstream: finished"])
    }
  }

  /// The last publisher ends before the sequence does, and after it.
  @Test(arguments: [Subscribers.Demand.max(1), .max(2)])
  func aSequenceAboveMayFinishAfterReturnedDemand(_ maxPublishers: Subscribers.Demand) {
    let log = CallLog()
    let last = PassthroughSubject<Int, Never>()
    (1...3).publisher.flatMap(maxPublishers: maxPublishers) { value in
      value == 2 ? last.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.subscribe(History(log: log))
    log.append("waits")
    last.send(20)
    last.send(completion: .finished)
    let first = (maxPublishers == 1 ? [1] : [1, 3]).map { "downstream: value \($0)" }
    let later = (maxPublishers == 1 ? [20, 3] : [20]).map { "downstream: value \($0)" }
    #expect(
      log.lines == ["downstream: subscription FlatMap"] + first + ["waits"] + later
        + ["downstream: finished"])
  }

  @Test func aLimitHoldsForASourceToo() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    var made = 0
    // The first child finishes while it's attached, and the next ones stay.
    let history = (0..<4).publisher.flatMap(maxPublishers: .max(2)) { index in
      made += 1
      return index == 0 ? subjects[0].prefix(0) : subjects[index].prefix(1)
    }.history()
    #expect(made == 3)
    subjects[1].send(10)
    #expect(made == 4)
    subjects[3].send(30)
    subjects[2].send(20)
    #expect(history.values == [10, 30, 20])
    #expect(history.events.last == .finished)
  }

  /// A publisher of one value, or one that stays.
  private struct Child: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let value: Int?
    let subject = PassthroughSubject<Int, Never>()

    func _deliverAll(while isWanted: () -> Bool, _ deliver: (Int) -> Void) -> _Hint<Bool> {
      guard let value else { return .no }
      deliver(value)
      return .yes
    }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
      subject.attach(subscriber)
    }
  }

  @Test(arguments: 1...3)
  func aPublisherOfOneValueFreesOnePlace(_ maxPublishers: Int) {
    var made = 0
    // The first two leave at once.
    let history = (0..<9).publisher.flatMap(maxPublishers: .max(maxPublishers)) { index in
      made += 1
      return Child(value: index < 2 ? index : nil)
    }.history()
    #expect(made == 2 + maxPublishers)
    #expect(history.values == [0, 1])
    history.cancel()
  }

  /// `combineLatest` requests from all its upstreams, but returns demand to one of them. So
  /// `flatMap` requests the next value, instead of returning the demand for it.
  @Test(arguments: [false, true]) func combineLatestAboveIsRequestedFrom(switches: Bool) {
    let pairs = [1, 2, 3].publisher.combineLatest([10, 20].publisher)
    let upstream =
      switches
      ? Just(0).map { _ in pairs }.switchToLatest().eraseToAnyPublisher()
      : pairs.eraseToAnyPublisher()
    let direct = upstream.flatMap(maxPublishers: .max(1)) { Just($0 + $1) }.history()
    let erased = upstream.flatMap(maxPublishers: .max(1)) { pair in
      Just(pair.0 + pair.1).eraseToAnyPublisher()
    }.history()
    #expect(direct.events.last == .finished)
    #expect(direct.events == erased.events)
    if !switches {
      let typed = pairs.map { $0 }.flatMap(maxPublishers: .max(1)) { Just($0 + $1) }.history()
      #expect(typed.events == erased.events)
    }
  }

  /// Between the sequence and `flatMap`, an operator may drop the demand that `flatMap` returns.
  @Test(arguments: [1, 2, 3]) func anOperatorAboveMayDropReturnedDemand(limit: Int) {
    let numbers = DroppingDemand(upstream: [1, 2, 3, 4, 5].publisher.map { $0 })
    for history in [
      numbers.flatMap(maxPublishers: .max(limit)) { Just($0) }.history(),
      numbers.map { $0 }.flatMap(maxPublishers: .max(limit)) { [$0].publisher }.history(),
    ] {
      #expect(history.values == [1, 2, 3, 4, 5])
      #expect(history.events.last == .finished)
    }
  }
}

/// Passes on everything but the demand that its downstream returns.
private struct DroppingDemand<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(downstream: subscriber))
  }

  struct Inner<Downstream: Subscriber>: Subscriber {
    let combineIdentifier = CombineIdentifier()
    let downstream: Downstream

    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
      _ = downstream.receive(input)
      return .none
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      downstream.receive(completion: completion)
    }
  }
}
