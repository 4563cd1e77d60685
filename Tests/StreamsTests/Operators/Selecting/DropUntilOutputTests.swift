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
    let history = source.drop(untilOutputFrom: trigger).history(
      demand: .max(4), perValue: .max(2), log: log)
    expectEqual((1...2).map { source.send($0) }, [.none, .none])
    expectEqual(trigger.send("start"), .none)
    expectEqual(trigger.send("again"), .none)
    expectEqual((3...4).map { source.send($0) }, [.max(2), .max(2)])
    history.request(3)
    source.finish()
    log.expect([
      "downstream: subscription DropUntilOutput", "other: subscribe", "other: request max(1)",
      "upstream: subscribe", "upstream: request max(4)", "downstream: value 3",
      "downstream: value 4", "upstream: request max(3)", "other: cancel", "downstream: finished",
    ])
  }

  @Test(arguments: End.allCases)
  func theEndOfTheOtherBeforeItsFirstValueIsTheEnd(_ end: End) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = source.drop(untilOutputFrom: trigger).history(log: log)
    log.removeAll()
    source.send(1)
    trigger.send(completion: end.completion)
    trigger.finish()
    trigger.send("late")
    expectEqual(source.send(2), .none)
    source.fail("late")
    history.request(1)
    history.cancel()
    log.expect([
      "upstream: cancel",
      "downstream: \(end)",
    ])
  }

  @Test(arguments: End.allCases)
  func theEndOfTheOtherAfterItsFirstValueDoesNotMatter(_ end: End) {
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.send("start")
    trigger.send(completion: end.completion)
    source.send(1)
    source.fail("late")
    expectEqual(history.text, "DropUntilOutput: 1 x(late)")
    expectEqual(source.calls, [.request(.unlimited)])
    expectEqual(trigger.calls, [.request(.max(1))])
  }

  @Test(arguments: End.allCases)
  func theEndOfUpstreamBeforeTheFirstValueOfTheOtherCancelsTheOther(_ end: End) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    source.drop(untilOutputFrom: trigger).subscribe(History(log: log))
    log.removeAll()
    source.send(completion: end.completion)
    source.finish()
    trigger.send("late")
    trigger.finish()
    log.expect([
      "other: cancel", "downstream: \(end)",
    ])
  }

  @Test(arguments: [false, true])
  func aCancellationCancelsUpstreamThenTheOther(hasStarted: Bool) {
    let source = Source(log: log)
    let trigger = Trigger(name: "other", log: log)
    let history = source.drop(untilOutputFrom: trigger).history(log: log)
    if hasStarted { trigger.send("start") }
    log.removeAll()
    history.cancel()
    history.cancel()
    history.request(1)
    trigger.send("late")
    trigger.finish()
    expectEqual(source.send(1), .none)
    source.finish()
    log.expect(["upstream: cancel", "other: cancel"])
  }

  @Test func anOtherPublisherThatFinishesAtOnceEndsTheStreamAndUpstreamIsCancelled() {
    let history = source.drop(untilOutputFrom: Empty<Int, TestError>()).history()
    expectEqual(history.text, "DropUntilOutput: |")
    expectEqual(source.calls, [.cancel])
  }

  @Test func requestsBeforeUpstreamsSubscriptionAreKept() {
    let source = Source(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history(demand: .max(10))
    history.request(4)
    history.request(.none)
    trigger.send("start")
    expectEqual(source.sendSubscription().calls, [.request(.max(14))])
    source.send(1)
    expectEqual(history.text, "DropUntilOutput: 1")
  }

  @Test func theEndOfTheOtherBeforeUpstreamsSubscriptionCancelsThat() {
    let source = Source(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.fail("no start")
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(history.text, "DropUntilOutput: x(no start)")
  }

  @Test func signalsOfTheOtherBeforeItsSubscriptionAreDropped() {
    let trigger = Trigger(sendsSubscription: false)
    let history = source.drop(untilOutputFrom: trigger).history()
    trigger.send("early")
    source.send(1)
    trigger.sendSubscription()
    trigger.send("start")
    source.send(2)
    expectEqual(history.text, "DropUntilOutput: 2")
  }

  @Test func aSecondSubscriptionOfEitherIsCancelled() {
    let history = source.drop(untilOutputFrom: trigger).history()
    expectEqual(source.sendSubscription().calls, [.cancel])
    expectEqual(trigger.sendSubscription().calls, [.cancel])
    expectEqual(history.text, "DropUntilOutput:")
    expectEqual(source.subscriptions[0].calls, [.request(.unlimited)])
    expectEqual(trigger.subscriptions[0].calls, [.request(.max(1))])
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
    expectEqual([first, history.values], expected)
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
      expectEqual(history.values, Array((1...21).suffix(history.values.count)))
      expectEqual(history.values.last, 21)
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
      expectEqual(history.text, "DropUntilOutput: |")
    }
  }
}
