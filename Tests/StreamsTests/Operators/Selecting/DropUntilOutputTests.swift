import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `OperatorContract`.
struct DropUntilOutputTests {
  typealias Source = ScriptedPublisher<Int, TestError>
  typealias Trigger = ScriptedPublisher<String, TestError>

  let log = CallLog()
  let source = Source()
  let trigger = Trigger()

  @Test func dropsValuesUntilTheOtherPublishesOne() {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = History<Int, TestError>(demand: .max(4), perValue: .max(2), log: log)
    source.drop(untilOutputFrom: trigger).subscribe(history)
    #expect((1...2).map { source.send($0) } == [.none, .none])
    #expect(trigger.send("start") == .none)
    #expect(trigger.send("again") == .none)
    #expect((3...4).map { source.send($0) } == [.max(2), .max(2)])
    history.request(3)
    source.finish()
    #expect(
      log.lines == [
        "downstream: subscription DropUntilOutput", "other: subscribe", "other: request max(1)",
        "upstream: subscribe", "upstream: request max(4)", "downstream: value 3",
        "downstream: value 4", "upstream: request max(3)", "other: cancel",
        "downstream: finished",
      ])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no start"))])
  func theEndOfTheOtherBeforeItsFirstValueIsTheEnd(
    completion: Subscribers.Completion<TestError>
  ) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = History<Int, TestError>(log: log)
    source.drop(untilOutputFrom: trigger).subscribe(history)
    log.removeAll()
    source.send(1)
    trigger.send(completion: completion)
    trigger.finish()
    trigger.send("late")
    #expect(source.send(2) == .none)
    source.fail("late")
    history.request(1)
    history.cancel()
    #expect(
      log.lines == [
        "upstream: cancel",
        "downstream: \(completion == .finished ? "finished" : "failure no start")",
      ])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func theEndOfTheOtherAfterItsFirstValueDoesNotMatter(
    completion: Subscribers.Completion<TestError>
  ) {
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.send("start")
    trigger.send(completion: completion)
    source.send(1)
    source.fail("late")
    #expect(
      history.events == [.subscription("DropUntilOutput"), .value(1), .failure("late")])
    #expect(source.calls == [.request(.unlimited)])
    #expect(trigger.calls == [.request(.max(1))])
  }

  @Test(arguments: [Subscribers.Completion.finished, .failure(TestError("no more"))])
  func theEndOfUpstreamBeforeTheFirstValueOfTheOtherCancelsTheOther(
    completion: Subscribers.Completion<TestError>
  ) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    source.drop(untilOutputFrom: trigger).subscribe(History(log: log))
    log.removeAll()
    source.send(completion: completion)
    source.finish()
    trigger.send("late")
    trigger.finish()
    #expect(
      log.lines == [
        "other: cancel",
        "downstream: \(completion == .finished ? "finished" : "failure no more")",
      ])
  }

  @Test(arguments: [false, true])
  func aCancellationCancelsUpstreamThenTheOther(hasStarted: Bool) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = History<Int, TestError>(log: log)
    source.drop(untilOutputFrom: trigger).subscribe(history)
    if hasStarted { trigger.send("start") }
    log.removeAll()
    history.cancel()
    history.cancel()
    history.request(1)
    trigger.send("late")
    trigger.finish()
    #expect(source.send(1) == .none)
    source.finish()
    #expect(log.lines == ["upstream: cancel", "other: cancel"])
  }

  @Test func anOtherPublisherThatFinishesAtOnceEndsTheStreamAndUpstreamIsCancelled() {
    let history = source.drop(untilOutputFrom: Empty<Int, TestError>()).history()
    #expect(history.events == [.subscription("DropUntilOutput"), .finished])
    #expect(source.calls == [.cancel])
  }

  @Test func requestsBeforeUpstreamsSubscriptionAreKept() {
    let source = Source(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history(demand: .max(10))
    history.request(4)
    history.request(.none)
    trigger.send("start")
    #expect(source.sendSubscription().calls == [.request(.max(14))])
    source.send(1)
    #expect(history.events == [.subscription("DropUntilOutput"), .value(1)])
  }

  @Test func theEndOfTheOtherBeforeUpstreamsSubscriptionCancelsThat() {
    let source = Source(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.fail("no start")
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("DropUntilOutput"), .failure("no start")])
  }

  @Test func signalsOfTheOtherBeforeItsSubscriptionAreDropped() {
    let trigger = Trigger(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.send("early")
    source.send(1)
    trigger.sendSubscription()
    trigger.send("start")
    source.send(2)
    #expect(history.events == [.subscription("DropUntilOutput"), .value(2)])
  }

  @Test func aLateSubscriptionOfTheOtherPublisherIsCancelled() {
    let trigger = Trigger(sendsSubscription: false)
    source.drop(untilOutputFrom: trigger).history().cancel()
    #expect(trigger.sendSubscription().calls == [.cancel])
  }

  @Test func aSecondSubscriptionOfEitherIsCancelled() {
    let history = source.drop(untilOutputFrom: trigger).history()
    #expect(source.sendSubscription().calls == [.cancel])
    #expect(trigger.sendSubscription().calls == [.cancel])
    #expect(history.events == [.subscription("DropUntilOutput")])
    #expect(source.subscriptions[0].calls == [.request(.unlimited)])
    #expect(trigger.subscriptions[0].calls == [.request(.max(1))])
  }

  @Test(arguments: ["upstream", "other"])
  func aCancellationWhileOneIsCancelledPreventsTheCompletion(side: String) {
    let history = source.drop(untilOutputFrom: trigger).history()
    source.onCancel = { history.cancel() }
    trigger.onCancel = { history.cancel() }
    if side == "upstream" { source.finish() } else { trigger.finish() }
    #expect(history.events == [.subscription("DropUntilOutput")])
    source.onCancel = nil
    trigger.onCancel = nil
  }

  @Test(
    arguments: zip(
      ["none", "in front", "behind"], [[[], []], [[], [2, 3, 4]], [[3], [3, 4]]] as [[[Int]]]))
  func aBufferHelpsASubscriberThatRequestsSingleValuesOnlyBehindIt(
    buffer: String, expected: [[Int]]
  ) {
    let subject = PassthroughSubject<Int, TestError>()
    let waiting = subject.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest)
    let stream =
      switch buffer {
      case "in front": waiting.drop(untilOutputFrom: trigger).eraseToAnyPublisher()
      case "behind":
        subject.drop(untilOutputFrom: trigger)
          .buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      default: subject.drop(untilOutputFrom: trigger).eraseToAnyPublisher()
      }
    let history = stream.history(demand: .max(1))
    subject.send(1)
    subject.send(2)
    trigger.send("start")
    subject.send(3)
    subject.send(4)
    let first = history.values
    history.request(3)
    #expect([first, history.values] == expected)
  }

  @Test func aRequestForZeroValuesIsPassedOn() {
    source.drop(untilOutputFrom: trigger).history(demand: .none).request(.none)
    #expect(source.calls == [.request(.none)])
  }

  @Test func eachSubscriberHasItsOwnStart() {
    let publisher = source.drop(untilOutputFrom: trigger)
    let first = publisher.history()
    let second = publisher.history()
    trigger.send("start", to: 0)
    source.send(1, to: 0)
    source.send(2, to: 1)
    #expect(first.values == [1])
    #expect(second.values == [])
  }

  @Test(arguments: ["finish", "other", "cancel"])
  func releasesEverythingAtTheEnd(ending: String) {
    weak var upstream: ScriptedSubscription?
    weak var other: ScriptedSubscription?
    weak var downstream: History<Int, TestError>?
    var subscription: (any Subscription)?
    do {
      let source = Source()
      let trigger = Trigger()
      let history = History<Int, TestError>()
      history.onSubscription = { subscription = $0 }
      source.drop(untilOutputFrom: trigger).subscribe(history)
      upstream = source.subscriptions.last
      other = trigger.subscriptions.last
      downstream = history
      switch ending {
      case "finish":
        trigger.send("start")
        source.finish()
      case "other": trigger.finish()
      default: subscription?.cancel()
      }
      history.releaseSubscription()
    }
    #expect(upstream == nil)
    #expect(other == nil)
    #expect(downstream == nil)
    _ = subscription
  }

  @Test func theOtherMayPublishOnAnotherThread() {
    for _ in 0..<300 {
      let source = Source()
      let trigger = Trigger()
      let history = source.drop(untilOutputFrom: trigger).history()
      onThreads(2) { thread in
        if thread == 1 {
          trigger.send("start")
          return trigger.fail("late")
        }
        for value in 1...20 { source.send(value) }
      }
      source.send(21)
      #expect(history.values == Array((1...21).suffix(history.values.count)))
      #expect(history.values.last == 21)
      #expect(history.completion == nil)
    }
  }

  @Test func twoEndsOnTwoThreadsAreOneEnd() {
    for _ in 0..<300 {
      let source = Source()
      let trigger = Trigger()
      let history = source.drop(untilOutputFrom: trigger).history()
      onThreads(2) { thread in
        if thread == 0 { source.finish() } else { trigger.finish() }
      }
      #expect(history.events == [.subscription("DropUntilOutput"), .finished])
    }
  }

  @Test func threeThreadsMayAttachStartAndCancel() {
    for _ in 0..<200 {
      let source = Source(sendsSubscription: false)
      let trigger = Trigger()
      let history = source.drop(untilOutputFrom: trigger).history()
      onThreads(3) { thread in
        switch thread {
        case 0: source.sendSubscription()
        case 1: trigger.send("start")
        default: history.cancel()
        }
      }
      #expect(source.subscriptions[0].isCancelled)
      #expect(trigger.calls == [.request(.max(1)), .cancel])
    }
  }
}
