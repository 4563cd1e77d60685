import Streams
import TestSupport
import Testing

struct ScriptedPublisherTests {
  @Test func sendsToTheLatestSubscriberByDefault() {
    let source = ScriptedPublisher<Int, Never>()
    let first = source.history()
    let second = source.history(demand: .max(1))
    source.send(1)
    source.send(2, to: 0)
    source.finish(to: 1)
    expectEqual(source.subscriberCount, 2)
    expectEqual(first.events, [.subscription("upstream"), .value(2)])
    expectEqual(second.events, [.subscription("upstream"), .value(1), .finished])
    expectEqual(source.subscriptions.map(\.calls), [[.request(.unlimited)], [.request(.max(1))]])
    expectEqual(source.calls, [.request(.unlimited), .request(.max(1))])
  }

  @Test func canHoldTheSubscriptionBack() {
    let source = ScriptedPublisher<Int, Never>(sendsSubscription: false, name: "late")
    let history = source.history()
    source.send(1)
    expectEqual(history.events, [.value(1)])
    let subscription = source.sendSubscription()
    expectEqual(history.events, [.value(1), .subscription("late")])
    expectEqual(subscription.calls, [.request(.unlimited)])
    let secondSubscription = source.sendSubscription()
    #expect(source.subscriptions.last === secondSubscription)
    #expect(!secondSubscription.isCancelled)
    secondSubscription.cancel()
    #expect(secondSubscription.isCancelled)
  }

  @Test func hooksRunInsideTheCall() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    source.onSubscribe = { log.append("subscribed") }
    source.onRequest = { [weak source] _ in _ = source?.send(1) }
    source.onCancel = { log.append("cancelled") }
    let history = History<Int, Never>(log: log)
    source.subscribe(history)
    history.cancel()
    expectEqual(
      log.lines,
      [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request unlimited",
        "downstream: value 1", "subscribed", "upstream: cancel", "cancelled",
      ])
    log.removeAll()
    expectEqual(log.lines, [])
  }

  @Test func keepsSubscribersUntilReleaseSubscribers() {
    let source = ScriptedPublisher<Int, Never>()
    weak var history: History<Int, Never>?
    history = source.history()
    source.finish()
    #expect(history != nil)
    source.releaseSubscribers()
    #expect(history == nil)
  }
}
