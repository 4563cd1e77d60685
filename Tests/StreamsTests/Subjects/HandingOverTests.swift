import TestSupport
import Testing

@testable import Streams

/// Tests calls on other threads while a subject is still sending a subscriber its subscription.
@Suite struct HandingOverTests {
  /// The two kinds of subjects. Here they differ only in the first value.
  enum Kind: CaseIterable {
    case passthrough, currentValue

    func subject() -> any Subject<Int, TestError> & Sendable {
      switch self {
      case .passthrough: PassthroughSubject()
      case .currentValue: CurrentValueSubject(0)
      }
    }

    var first: [String] { self == .currentValue ? ["newcomer: value 0"] : [] }
  }

  let log = CallLog()

  /// A subscriber that runs a closure on another thread while it receives its subscription, after
  /// its request.
  func newcomer(
    requests demand: Subscribers.Demand = .unlimited, andThen body: (() -> Void)? = nil,
    meanwhile: @escaping @Sendable () -> Void
  ) -> History<Int, TestError> {
    let newcomer = History<Int, TestError>(name: "newcomer", log: log)
    newcomer.onSubscription = { [log] subscription in
      if demand > .none { subscription.request(demand) }
      onAnotherThread(meanwhile)
      body?()
      log.append("subscribed")
    }
    return newcomer
  }

  func name(_ kind: Kind) -> String {
    kind == .passthrough ? "PassthroughSubject" : "CurrentValueSubject"
  }

  @Test(arguments: Kind.allCases)
  func valuesFromAnotherThreadArriveOnceSomethingWasRequested(kind: Kind) {
    let subject = kind.subject()
    let thread = ThreadID.current
    let newcomer = newcomer { [log] in
      subject.send(1)
      subject.send(2)
      log.append("sent")
    }
    newcomer.onValue = { value in
      expectEqual((ThreadID.current == thread), (value == 0))
      return .none
    }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "newcomer: value 1", "newcomer: value 2", "sent", "subscribed",
      ])
  }

  @Test(arguments: Kind.allCases)
  func theCompletionFromAnotherThreadArrivesOnceSomethingWasRequested(kind: Kind) {
    let subject = kind.subject()
    let newcomer = newcomer {
      subject.send(1)
      subject.send(completion: .failure("over"))
      subject.send(2)
    }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "newcomer: value 1", "newcomer: failure over", "subscribed",
      ])
  }

  @Test(arguments: Kind.allCases) func anEarlyCompletionWaitsForTheSubscription(kind: Kind) {
    let subject = kind.subject()
    let newcomer = newcomer(requests: .none) {
      subject.send(1)
      subject.send(completion: .failure("over"))
    }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      [
        "newcomer: subscription \(name(kind))", "subscribed", "newcomer: failure over",
      ])
  }

  @Test(arguments: Kind.allCases) func returnedDemandBringsValues(kind: Kind) {
    let subject = kind.subject()
    let newcomer = newcomer(requests: .max(1)) { for value in 1...3 { subject.send(value) } }
    newcomer.onValue = { _ in .max(1) }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "newcomer: value 1", "newcomer: value 2", "newcomer: value 3", "subscribed",
      ])
  }

  @Test(arguments: [Subscribers.Demand.max(1), .unlimited])
  func theFirstRequestDeliversTheNewestEarlyValue(demand: Subscribers.Demand) {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let newcomer = newcomer(requests: .none) {
      subject.send(1)
      subject.send(2)
    }
    let sendEarly = newcomer.onSubscription
    newcomer.onSubscription = { [log] in
      sendEarly?($0)
      $0.request(demand)
      log.append("requested")
    }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      [
        "newcomer: subscription CurrentValueSubject", "subscribed", "newcomer: value 2",
        "requested",
      ])
    expectEqual(newcomer.values, [2])
  }

  @Test func theNextRequestDeliversTheNewestValueSentDuringTheHandOver() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let newcomer = newcomer(requests: .max(1)) {
      subject.send(1)
      subject.send(2)
    }
    subject.subscribe(newcomer)
    expectEqual(newcomer.values, [0])
    newcomer.request(1)
    expectEqual(newcomer.values, [0, 2])
  }

  @Test func anEarlyValueWithoutDemandIsMissed() {
    let subject = PassthroughSubject<Int, TestError>()
    let newcomer = newcomer(requests: .max(1)) {
      subject.send(1)
      subject.send(2)
    }
    subject.subscribe(newcomer)
    newcomer.request(5)
    subject.send(3)
    expectEqual(newcomer.values, [1, 3])
  }

  @Test func theNewestEarlyValueWaitsForARequest() {
    let subject = CurrentValueSubject<Int, TestError>(0)
    let newcomer = newcomer(requests: .none) {
      subject.send(1)
      subject.send(2)
    }
    subject.subscribe(newcomer)
    expectEqual(newcomer.values, [])
    newcomer.request(5)
    expectEqual(newcomer.values, [2])
  }

  @Test(arguments: Kind.allCases)
  func nothingFollowsACancellationOnAnotherThread(kind: Kind) {
    let subject = kind.subject()
    weak var released: History<Int, TestError>?
    do {
      let newcomer = History<Int, TestError>(name: "newcomer", log: log)
      released = newcomer
      newcomer.onSubscription = { [log] in
        nonisolated(unsafe) let subscription = $0
        subscription.request(.unlimited)
        onAnotherThread {
          subject.send(1)
          subscription.cancel()
          subject.send(2)
          subject.send(completion: .finished)
        }
        log.append("subscribed")
      }
      subject.subscribe(newcomer)
      newcomer.releaseSubscription()
    }
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "newcomer: value 1", "subscribed",
      ])
    #expect(released == nil)
  }

  @Test(arguments: Kind.allCases) func aRequestFromAnotherThreadIsServedThere(kind: Kind) {
    let subject = kind.subject()
    let newcomer = History<Int, TestError>(name: "newcomer", log: log)
    newcomer.onSubscription = { [log] in
      nonisolated(unsafe) let subscription = $0
      onAnotherThread {
        subscription.request(.unlimited)
        log.append("requested")
      }
      log.append("subscribed")
    }
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "requested", "subscribed",
      ])
  }

  @Test(arguments: Kind.allCases) func aSendOnTheAttachingThreadDoesNotWait(kind: Kind) {
    let subject = kind.subject()
    let newcomer = newcomer(andThen: { subject.send(1) }, meanwhile: {})
    subject.subscribe(newcomer)
    expectEqual(
      log.lines,
      ["newcomer: subscription \(name(kind))"] + kind.first + [
        "newcomer: value 1", "subscribed",
      ])
  }

  @Test(arguments: Kind.allCases)
  func aSendOnTheAttachingThreadDoesNotOvertakeAnotherThread(kind: Kind) {
    let subject = kind.subject()
    let witness = subject.history()
    let newcomer = newcomer(
      andThen: {
        subject.send(2)
        subject.send(completion: .finished)
      }, meanwhile: { subject.send(1) })
    subject.subscribe(newcomer)
    expectEqual(newcomer.events.dropFirst(), witness.events.dropFirst())
    expectEqual(witness.values.suffix(2), [1, 2])
  }

  @Test(arguments: Kind.allCases)
  func aCompletionWhileAnotherThreadIsInsideReachesANewSubscriber(kind: Kind) {
    let subject = kind.subject()
    // The subscriber is noted while the sender is inside, and the sender completes the subject.
    let slow = SlowSubscriber<TestError>(stopsAt: 1) {
      subject.send(completion: .failure("no more"))
    }
    subject.subscribe(slow.history)
    slow.onSenderThread { subject.send(1) }
    let history = History<Int, TestError>()
    history.onSubscription = { _ in slow.goOn() }
    subject.subscribe(history)
    expectEqual(history.events, [.subscription(name(kind)), .failure("no more")])
  }

  @Test(arguments: Kind.allCases) func manyThreadsSeeEachSubscriptionFirst(kind: Kind) {
    let subject = kind.subject()
    let newcomers = (0..<200).map { _ in
      let newcomer = History<Int, TestError>()
      let room = Room()
      newcomer.onSubscription = {
        room.visit()
        $0.request(.unlimited)
      }
      newcomer.onValue = { _ in
        room.visit()
        return .none
      }
      return (newcomer, room)
    }
    onThreads(3) { thread in
      if thread == 0 {
        for (newcomer, _) in newcomers { subject.subscribe(newcomer) }
      } else {
        for value in 1...200 { subject.send(thread * 1000 + value) }
      }
    }
    subject.send(-1)
    for (newcomer, room) in newcomers {
      expectEqual(room.encounters, 0)
      expectEqual(newcomer.events.first, .subscription(name(kind)))
      expectEqual(newcomer.values.last, -1)
      for thread in 1...2 {
        let values = newcomer.values.filter { $0 / 1000 == thread }
        // After its first value, a subscriber gets every value exactly once.
        expectEqual(values, (1...200).suffix(values.count).map { thread * 1000 + $0 })
      }
    }
  }
}
