import TestSupport
import Testing

@testable import Streams

@Suite struct AnyPublisherTests {
  @Test func passesEverythingOn() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, TestError>(log: log)
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(2), log: log)
    source.eraseToAnyPublisher().subscribe(history)
    expectEqual(source.send(1), .max(2))
    history.request(3)
    source.fail("over")
    history.cancel()
    expectEqual(
      log.lines,
      [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 1", "upstream: request max(3)", "downstream: failure over",
        "upstream: cancel",
      ])
  }

  @Test func hidingTwiceAddsNothing() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = source.eraseToAnyPublisher().eraseToAnyPublisher().history()
    source.send(1)
    expectEqual(history.events, [.subscription("upstream"), .value(1)])
    expectEqual("\(source.eraseToAnyPublisher())", "AnyPublisher")
  }
}

@Suite struct AnySubscriberTests {
  @Test func hasTheIdentityAndDescriptionOfTheWrappedSubscriber() {
    let history = History<Int, TestError>()
    let hidden = AnySubscriber(AnySubscriber(history))
    expectEqual(hidden.combineIdentifier, history.combineIdentifier)
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    expectEqual("\(AnySubscriber(sink))", "Sink")
  }

  @Test func ofClosuresCallsThem() {
    let log = CallLog()
    let subscriber = AnySubscriber<Int, TestError>(
      receiveSubscription: {
        log.append("subscription \($0)")
        $0.request(.max(1))
      },
      receiveValue: {
        log.append("value \($0)")
        return .max(1)
      },
      receiveCompletion: { log.append("\($0)") })
    let source = ScriptedPublisher<Int, TestError>()
    source.subscribe(subscriber)
    expectEqual(source.send(1), .max(1))
    source.fail("over")
    expectEqual(
      log.lines, ["subscription upstream", "value 1", "failure(over)"])
    expectEqual(source.calls, [.request(.max(1))])
    expectEqual("\(subscriber)", "Anonymous AnySubscriber")
  }

  @Test func ofNoClosuresRequestsNothing() {
    let source = ScriptedPublisher<Int, TestError>()
    source.subscribe(AnySubscriber<Int, TestError>())
    expectEqual(source.send(1), .none)
    source.finish()
    expectEqual(source.calls, [])
  }

  private struct Nameless: Subscriber {
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) {}
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test func ofASubscriberWithoutADescriptionDescribesItself() {
    let subscriber = AnySubscriber(Nameless())
    expectEqual("\(subscriber)", "AnySubscriber")
    expectEqual(subscriber.playgroundDescription as? String, "AnySubscriber")
    #expect(Mirror(reflecting: subscriber).children.isEmpty)
  }

  @Test func ofASubjectSendsToIt() {
    let subject = PassthroughSubject<Int, TestError>()
    let history = subject.history()
    let source = ScriptedPublisher<Int, TestError>()
    source.subscribe(AnySubscriber(subject))
    source.send(1)
    source.fail("over")
    expectEqual(
      history.events, [.subscription("PassthroughSubject"), .value(1), .failure("over")])
    expectEqual(source.calls, [.request(.unlimited)])
  }

  @Test func aSubjectIsHeldWeakly() {
    let source = ScriptedPublisher<Int, TestError>()
    var subject: PassthroughSubject<Int, TestError>? = PassthroughSubject()
    let cancellable = source.subscribe(subject!)
    subject = nil
    expectEqual(source.calls, [.cancel])
    cancellable.cancel()
    expectEqual(source.calls, [.cancel])
  }

  @Test func aReleasedSubjectLeavesNothingBehind() {
    let subscriber = AnySubscriber(PassthroughSubject<Int, TestError>())
    weak var subscription: ScriptedSubscription?
    do {
      let source = ScriptedPublisher<Int, TestError>()
      source.subscribe(subscriber)
      subscription = source.subscriptions.last
      expectEqual(source.calls, [.cancel])
      expectEqual(source.send(1), .none)
    }
    #expect(subscription == nil)
    withExtendedLifetime(subscriber) {}
  }
}
