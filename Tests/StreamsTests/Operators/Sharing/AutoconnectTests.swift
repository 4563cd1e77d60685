import Streams
import TestSupport
import Testing

@Suite struct AutoconnectTests {
  @Test func aSubscriberThatSubscribesAnotherWhileAttachingConnectsTwice() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    #expect(source.subscriberCount == 2)
    // Both count, so the connection lasts until both are cancelled.
    inner.cancel()
    source.send(1)
    #expect(outer.values == [1])
    outer.cancel()
    #expect(inner.values == [])
    #expect(source.subscriptions.map(\.isCancelled) == [true, true])
  }

  @Test func aNestedConnectionIsCountedAndTakenOver() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    #expect(source.subscriptions.map(\.isCancelled) == [true, false])
    outer.cancel()
    #expect(source.subscriptions.map(\.isCancelled) == [true, false])
    inner.cancel()
    #expect(source.subscriptions.map(\.isCancelled) == [true, true])
    outer.onSubscription = nil
  }

  @Test func aSubscriberThatCancelsBeforeTheConnectionEndsIt() {
    let source = ScriptedPublisher<Int, Never>()
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let history = History<Int, Never>()
    history.onSubscription = { $0.cancel() }
    automatic.subscribe(history)
    #expect(source.calls == [.cancel])
  }

  @Test func cancelsTheConnectionBeforeTheSubscription() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(name: "source", log: log)
    let subject = ScriptedSubject<Int, Never>(log: log)
    let history = source.multicast(subject: subject).autoconnect().history()
    history.cancel()
    #expect(
      log.lines == [
        "subject: subscribe", "subject: request unlimited", "source: subscribe", "source: cancel",
        "subject: cancel",
      ])
  }

  @Test func aSubscriberFromAnotherThreadJoinsWhileOneConnects() {
    let source = ScriptedPublisher<Int, Never>()
    nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
      .autoconnect()
    let second = History<Int, Never>()
    source.onSubscribe = {
      source.onSubscribe = nil
      onAnotherThread { automatic.subscribe(second) }
    }
    let first = automatic.history()
    source.send(1)
    #expect(source.subscriberCount == 1)
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test func threadsShareOneConnection() async {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, Never>()
      nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
        .autoconnect()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            let history = automatic.history()
            history.cancel()
          }
        }
      }
      let cancelled = source.subscriptions.filter(\.isCancelled).count
      #expect(cancelled == source.subscriberCount)
    }
  }
}

/// A subject that logs the calls of its subscribers.
private final class ScriptedSubject<Output, Failure: Error>: Subject {
  let source: ScriptedPublisher<Output, Failure>

  init(log: CallLog) { source = ScriptedPublisher(name: "subject", log: log) }

  func send(_ value: Output) { source.send(value) }
  func send(completion: Subscribers.Completion<Failure>) { source.send(completion: completion) }
  func send(subscription: any Subscription) {}
  func receive<S>(subscriber: S)
  where S: Subscriber, Failure == S.Failure, Output == S.Input {
    source.receive(subscriber: subscriber)
  }
}
