import TestSupport
import Testing

@testable import Streams

private typealias Source = ScriptedPublisher<Int, TestError>

/// `flatMap` and `merge` deliver the values of a sequence, and of a publisher of one value, without
/// subscribing to it. The difference is invisible: all histories equal those of the same publishers
/// behind an erased type.
struct FlatMapSequenceTests {
  let log = CallLog()

  /// The action when downstream receives its first or third value, or while a publisher or its
  /// second element is made.
  enum Plot: CaseIterable {
    case nothing, requestInside, cancelInside, sendInside, finishInside, failInside
    case cancelInMaking, sendInMaking, finishInMaking, failInMaking

    var isInMaking: Bool {
      [.cancelInMaking, .sendInMaking, .finishInMaking, .failInMaking].contains(self)
    }
  }

  /// Publishers that need no subscription, with their type visible or erased.
  private struct Form {
    let name: String
    let publish: (Source, Subscribers.Demand, Bool, @escaping Note) -> AnyPublisher<Int, TestError>

    typealias Note = (String) -> Void

    init<P: Publisher>(_ name: String, _ make: @escaping (Int, @escaping Note) -> P)
    where P.Output == Int, P.Failure == TestError {
      self.name = name
      publish = { source, maxPublishers, isErased, note in
        isErased
          ? source.flatMap(maxPublishers: maxPublishers) { make($0, note).eraseToAnyPublisher() }
            .eraseToAnyPublisher()
          : source.flatMap(maxPublishers: maxPublishers) { make($0, note) }.eraseToAnyPublisher()
      }
    }

    static var all: [Form] {
      [
        Form("Just") { value, note in
          note("make")
          return Just(value).setFailureType(to: TestError.self)
        },
        Form("Optional") { value, note in
          note("make")
          return Publishers.SetFailureType<Int?.Publisher, TestError>(
            upstream: (value == 2 ? nil : value).publisher)
        },
        Form("Result") { value, note in
          note("make")
          return (value == 4 ? Result<Int, TestError>.failure("no more") : .success(value))
            .publisher
        },
        Form("Sequence") { value, note in
          Publishers.Sequence<AnySequence<Int>, TestError>(
            sequence: AnySequence { () -> AnyIterator<Int> in
              note("iterator")
              var next = 0
              return AnyIterator {
                note("next \(next)")
                defer { next += 1 }
                return next < (value + 1) % 3 ? 10 * value + next : nil
              }
            })
        },
      ]
    }
  }

  /// All steps of making publishers, and the signals that upstream and downstream received.
  private func lines(
    _ form: Form, isErased: Bool, _ demand: Subscribers.Demand,
    _ maxPublishers: Subscribers.Demand, _ plot: Plot
  ) -> [String] {
    let log = CallLog()
    let source = Source(log: log)
    let history = History<Int, TestError>(demand: demand, log: log)
    var hasActed = false
    let act = {
      if hasActed, plot != .requestInside { return }
      hasActed = true
      switch plot {
      case .nothing: break
      case .requestInside: history.request(1)
      case .cancelInside, .cancelInMaking: history.cancel()
      case .sendInside, .sendInMaking: log.append("demand after 7: \(source.send(7))")
      case .finishInside, .finishInMaking: source.finish()
      case .failInside, .failInMaking: source.fail("enough")
      }
    }
    var received = 0
    history.onValue = { value in
      received += 1
      let number = received
      if !plot.isInMaking, number == 1 || number == 3 { act() }
      log.append("end of \(value)")
      return number == 3 ? .max(1) : .none
    }
    var made = 0
    form.publish(source, maxPublishers, isErased) { step in
      log.append(step)
      if step == "make" { made += 1 }
      if plot.isInMaking, made == 2 || step == "next 1" { act() }
    }
    .subscribe(history)
    for value in 1...5 { log.append("demand after \(value): \(source.send(value))") }
    history.request(1)
    log.append("end")
    source.finish()
    history.request(.unlimited)
    return log.lines
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .max(3), .unlimited], Plot.allCases)
  func historiesEqualThoseBehindAnErasedType(_ demand: Subscribers.Demand, _ plot: Plot) {
    for maxPublishers in [Subscribers.Demand.max(1), .max(2), .unlimited] {
      for form in Form.all {
        expectEqual(
          lines(form, isErased: false, demand, maxPublishers, plot),
          lines(form, isErased: true, demand, maxPublishers, plot),
          "\(form.name), \(maxPublishers)")
      }
    }
  }

  @Test func theyAreNotSubscribedTo() {
    /// What a publisher delivers without a subscription; `nil` if it can't.
    func delivered<P: Publisher>(_ publisher: P, limit: Int = .max) -> [P.Output]? {
      var values: [P.Output] = []
      return publisher._deliverAll(while: { values.count < limit }) { values.append($0) }.value
        ? values : nil
    }
    // The speed depends on this. If it fails, the test above compares nothing.
    expectEqual(delivered(Just(1)), [1])
    expectEqual(delivered(Just(1).setFailureType(to: TestError.self)), [1])
    expectEqual(
      delivered(Publishers.SetFailureType<Just<Int>, TestError>(upstream: Just(1))), [1])
    expectEqual(delivered(Int?.some(1).publisher), [1])
    expectEqual(delivered(Int?.none.publisher), [])
    expectEqual(delivered(Result<Int, TestError>.success(1).publisher), [1])
    expectEqual(delivered(Result<Int, TestError>.failure("no").publisher), nil)
    expectEqual(delivered([1, 2].publisher), [1, 2])
    expectEqual(delivered([1, 2].publisher, limit: 1), [1])
    expectEqual(
      delivered(Publishers.SetFailureType<_, TestError>(upstream: [5].publisher)), [5])
    expectEqual(delivered(Just(1).eraseToAnyPublisher()), nil)
    expectEqual(delivered([6].publisher.eraseToAnyPublisher()), nil)
  }

  @Test func aPublisherWhoseTransformFinishesUpstreamStillDelivers() {
    let source = Source()
    let child = ScriptedPublisher<Int, TestError>()
    let history = source.flatMap { _ in
      source.finish()
      return child
    }.history()
    source.send(1)
    child.send(10)
    expectEqual(history.text, "FlatMap: 10")
    child.finish()
    expectEqual(history.text, "FlatMap: 10 |")
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .unlimited])
  func mergedValuesAreTheSameAsWithSubscriptions(_ demand: Subscribers.Demand) {
    let seen = Just(1).merge(with: [2, 3].publisher, Just(4)).history(demand: demand)
    let erased = Just(1).eraseToAnyPublisher()
      .merge(with: [2, 3].publisher.eraseToAnyPublisher(), Just(4).eraseToAnyPublisher())
      .history(demand: demand)
    for history in [seen, erased] {
      history.request(1)
      history.request(.unlimited)
    }
    expectEqual(seen.text, erased.text)
  }

  @Test func anEndlessSequenceStopsAtACancellation() {
    let history = Just(0).flatMap { _ in (1...).publisher }.prefix(3).history()
    expectEqual(history.values, [1, 2, 3])
    expectEqual(history.events.last, .finished)
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
    expectEqual(history.values, Array(1...history.values.count))
    expectEqual(history.events.last, .failure("enough"))
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(2), .unlimited])
  func eachValueOfASourceMakesOnePublisher(_ maxPublishers: Subscribers.Demand) {
    // Upstream is one of the library's sources, so the demand for the next value is returned.
    (1...4).publisher.flatMap(maxPublishers: maxPublishers) { value in
      log.append("transform \(value)")
      return Just(value)
    }
    .subscribe(History(log: log))
    let values = (1...4).flatMap { (value: Int) -> [String] in
      ["transform \(value)", "downstream: value \(value)"]
    }
    let lines: [String] =
      ["downstream: subscription FlatMap"] + values + ["downstream: finished"]
    log.expect(lines)
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
      log.expect(
        ["downstream: subscription FlatMap"] + (1...3).map { "downstream: value \($0)" } + [
          "downstream: finished"
        ])
    }
  }

  /// The last publisher ends before the sequence does, and after it.
  @Test(arguments: [Subscribers.Demand.max(1), .max(2)])
  func aSequenceAboveMayFinishAfterReturnedDemand(_ maxPublishers: Subscribers.Demand) {
    let last = PassthroughSubject<Int, Never>()
    (1...3).publisher.flatMap(maxPublishers: maxPublishers) { value in
      value == 2 ? last.eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
    }.subscribe(History(log: log))
    log.append("waits")
    last.send(20)
    last.send(completion: .finished)
    let first = (maxPublishers == 1 ? [1] : [1, 3]).map { "downstream: value \($0)" }
    let later = (maxPublishers == 1 ? [20, 3] : [20]).map { "downstream: value \($0)" }
    log.expect(
      ["downstream: subscription FlatMap"] + first + ["waits"] + later + ["downstream: finished"])
  }

  @Test func aLimitHoldsForASourceToo() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    var made = 0
    // The first child finishes while it's attached, and the next ones stay.
    let history = (0..<4).publisher.flatMap(maxPublishers: .max(2)) { index in
      made += 1
      return index == 0 ? subjects[0].prefix(0) : subjects[index].prefix(1)
    }.history()
    expectEqual(made, 3)
    subjects[1].send(10)
    expectEqual(made, 4)
    subjects[3].send(30)
    subjects[2].send(20)
    expectEqual(history.values, [10, 30, 20])
    expectEqual(history.events.last, .finished)
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
    expectEqual(made, 2 + maxPublishers)
    expectEqual(history.values, [0, 1])
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
    expectEqual(direct.events.last, .finished)
    expectEqual(direct.events, erased.events)
    if !switches {
      let typed = pairs.map { $0 }.flatMap(maxPublishers: .max(1)) { Just($0 + $1) }.history()
      expectEqual(typed.events, erased.events)
    }
  }

  /// Between the sequence and `flatMap`, an operator may drop the demand that `flatMap` returns.
  @Test(arguments: [1, 2, 3]) func anOperatorAboveMayDropReturnedDemand(limit: Int) {
    let numbers = DroppingDemand(upstream: [1, 2, 3, 4, 5].publisher.map { $0 })
    for history in [
      numbers.flatMap(maxPublishers: .max(limit)) { Just($0) }.history(),
      numbers.map { $0 }.flatMap(maxPublishers: .max(limit)) { [$0].publisher }.history(),
    ] {
      expectEqual(history.values, [1, 2, 3, 4, 5])
      expectEqual(history.events.last, .finished)
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
