import Streams
import TestSupport
import Testing

@Suite struct AutoconnectTests {
  let source = ScriptedPublisher<Int, Never>()

  @Test func aSubscriberThatSubscribesAnotherWhileAttachingConnectsTwice() {
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    expectEqual(source.subscriberCount, 2)
    // Both count, so the connection lasts until both are cancelled.
    inner.cancel()
    source.send(1)
    expectEqual(outer.values, [1])
    outer.cancel()
    expectEqual(inner.values, [])
    expectEqual(source.subscriptions.map(\.isCancelled), [true, true])
  }

  @Test func aNestedConnectionIsCountedAndTakenOver() {
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { subscription in
      automatic.subscribe(inner)
      subscription.request(.unlimited)
    }
    automatic.subscribe(outer)
    expectEqual(source.subscriptions.map(\.isCancelled), [true, false])
    outer.cancel()
    expectEqual(source.subscriptions.map(\.isCancelled), [true, false])
    inner.cancel()
    expectEqual(source.subscriptions.map(\.isCancelled), [true, true])
  }

  @Test func aSubscriberThatCancelsBeforeTheConnectionStillCounts() {
    let publisher = PlainConnectable()
    let automatic = publisher.autoconnect()
    let history = History<Int, Never>()
    history.onSubscription = { $0.cancel() }
    automatic.subscribe(history)
    publisher.log.expect(["connection 1: connect"])
    for _ in 1...2 { automatic.history().cancel() }
    publisher.log.expect(["connection 1: connect"])
  }

  @Test func aConnectionWhoseSubscriberLeftMeanwhileEndsWithThePublisher() {
    do {
      let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
      let history = History<Int, Never>()
      history.onSubscription = { $0.cancel() }
      automatic.subscribe(history)
      expectEqual(source.calls, [])
    }
    expectEqual(source.calls, [.cancel])
  }

  /// Two subscribers that are attached within each other: both leave before the outer one connects.
  @Test func nestedSubscribersThatCancelBeforeTheConnectionCountAsOne() {
    let publisher = PlainConnectable()
    let automatic = publisher.autoconnect()
    let (inner, outer) = (History<Int, Never>(), History<Int, Never>())
    outer.onSubscription = {
      automatic.subscribe(inner)
      inner.cancel()
      $0.cancel()
    }
    automatic.subscribe(outer)
    let late = automatic.history()
    late.cancel()
    publisher.log.expect(["connection 1: connect", "connection 1: cancel", "connection 2: connect"])
  }

  @Test func aSubscriberOfAnotherThreadThatLeavesWhileOneConnectsDoesNotCount() {
    nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
      .autoconnect()
    source.onSubscribe = {
      source.onSubscribe = nil
      onAnotherThread { automatic.history().cancel() }
    }
    let first = automatic.history()
    expectEqual(source.calls, [.request(.unlimited)])
    first.cancel()
    expectEqual(source.calls, [.request(.unlimited), .cancel])
  }

  @Test func theFirstSubscriberMayLeaveOnAnotherThreadWhileItConnects() {
    let automatic = source.multicast(subject: PassthroughSubject()).autoconnect()
    let first = History<Int, Never>()
    source.onSubscribe = {
      source.onSubscribe = nil
      onAnotherThread { first.cancel() }
    }
    automatic.subscribe(first)
    let second = automatic.history()
    source.send(1)
    expectEqual(source.subscriberCount, 1)
    expectEqual(first.values, [])
    expectEqual(second.values, [1])
  }

  @Test func aConnectionThatIsTakenOverIsCancelled() {
    let publisher = PlainConnectable()
    let automatic = publisher.autoconnect()
    let inner = History<Int, Never>()
    let outer = History<Int, Never>()
    outer.onSubscription = { _ in automatic.subscribe(inner) }
    automatic.subscribe(outer)
    publisher.log.expect(["connection 1: connect", "connection 2: connect", "connection 1: cancel"])
    for history in [inner, outer] { history.cancel() }
    expectEqual(publisher.log.lines.last, "connection 2: cancel")
  }

  @Test func itsSubscriptionHasAnIdentifierOfItsOwn() {
    let publisher = PlainConnectable()
    var identifiers: [CombineIdentifier] = []
    let history = History<Int, Never>()
    history.onSubscription = { identifiers.append($0.combineIdentifier) }
    publisher.autoconnect().subscribe(history)
    identifiers.append(publisher.source.subscriptions[0].combineIdentifier)
    expectEqual(Set(identifiers).count, 2)
    // Its description is upstream's.
    expectEqual(history.text, "upstream:")
    history.cancel()
  }

  @Test func cancelsTheConnectionBeforeTheSubscription() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(name: "source", log: log)
    let subject = ScriptedSubject<Int, Never>(log: log)
    let history = source.multicast(subject: subject).autoconnect().history()
    history.cancel()
    log.expect([
      "subject: subscribe", "subject: request unlimited", "source: subscribe", "source: cancel",
      "subject: cancel",
    ])
  }

  @Test func aSubscriberFromAnotherThreadJoinsWhileOneConnects() {
    nonisolated(unsafe) let automatic = source.multicast(subject: PassthroughSubject())
      .autoconnect()
    let second = History<Int, Never>()
    source.onSubscribe = {
      source.onSubscribe = nil
      onAnotherThread { automatic.subscribe(second) }
    }
    let first = automatic.history()
    source.send(1)
    expectEqual(source.subscriberCount, 1)
    expectEqual(first.values, [1])
    expectEqual(second.values, [1])
  }

  /// Some leave from within the connection, and others at any moment.
  @Test func connectionsOfSeveralThreadsEndWithThePublisher() {
    for _ in 0..<200 {
      let state = CurrentValueSubject<Int, Never>(1)
      let (subscriptions, cancellations) = (Locked(0), Locked(0))
      do {
        nonisolated(unsafe) let shared = state.handleEvents(
          receiveSubscription: { _ in subscriptions.withLock { $0 += 1 } },
          receiveCancel: { cancellations.withLock { $0 += 1 } }
        ).share()
        onThreads(4) { thread in
          if thread < 2 { shared.first().history().cancel() } else { shared.history().cancel() }
        }
        #expect(subscriptions.withLock { $0 } - cancellations.withLock { $0 } <= 1)
      }
      expectEqual(subscriptions.withLock { $0 }, cancellations.withLock { $0 })
    }
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
      expectEqual(cancelled, source.subscriberCount)
    }
  }
}

/// A publisher whose connections have to be cancelled: their release does nothing.
private final class PlainConnectable: ConnectablePublisher {
  typealias Output = Int
  typealias Failure = Never

  struct Connection: Cancellable {
    let name: String
    let log: CallLog

    func cancel() { log.append("\(name): cancel") }
  }

  let source = ScriptedPublisher<Int, Never>()
  let log = CallLog()
  private var count = 0

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
    source.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable {
    count += 1
    log.append("connection \(count): connect")
    return Connection(name: "connection \(count)", log: log)
  }
}
