import Streams
import TestSupport
import Testing

// On the main actor, for the reason given in `AsyncPublisherTests`.
@Suite(.hangLimit) @MainActor struct AsyncPublisherCancellationTests {
  typealias Script = ScriptedPublisher<Int, TestError>

  let source = Script()

  private func waitForRequests(_ count: Int) async {
    while source.calls.count(where: { $0 == .request(.max(1)) }) < count { await Task.yield() }
  }

  @Test func aCancelledTaskThatCallsEndsTheSubscription() async throws {
    let iterator = source.values.makeAsyncIterator()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = iterator
      let values = [try await iterator.next(), try await iterator.next()]
      return values
    }
    expectEqual(try await task.value, [nil, nil])
    expectEqual(source.calls, [.cancel])
  }

  @Test func cancellingAWaitingTaskEndsTheSubscriptionAndAllCalls() async throws {
    let iterator = source.values.makeAsyncIterator()
    let tasks = (0..<2).map { _ in
      Task {
        var iterator = iterator
        return try await iterator.next()
      }
    }
    await waitForRequests(2)
    tasks[0].cancel()
    expectEqual(source.calls, [.request(.max(1)), .request(.max(1)), .cancel])
    for task in tasks { #expect(try await task.value == nil) }
    source.send(1)
    source.fail("late")
    var copy = iterator
    #expect(try await copy.next() == nil)
    expectEqual(source.calls, [.request(.max(1)), .request(.max(1)), .cancel])
  }

  @Test func aCancellationFromWithinTheRequestEndsTheCall() async throws {
    let iterator = source.values.makeAsyncIterator()
    source.onRequest = { _ in withUnsafeCurrentTask { $0?.cancel() } }
    let task = Task {
      var iterator = iterator
      return try await iterator.next()
    }
    #expect(try await task.value == nil)
    expectEqual(source.calls, [.request(.max(1)), .cancel])
  }

  @Test func aValueBeforeTheCancellationIsReceived() async throws {
    let iterator = source.values.makeAsyncIterator()
    let task = Task {
      var iterator = iterator
      let values = [try await iterator.next(), try await iterator.next()]
      return values
    }
    await waitForRequests(1)
    // The task has its value, but can't go on before this test suspends.
    source.send(1)
    task.cancel()
    expectEqual(source.calls, [.request(.max(1)), .cancel])
    expectEqual(try await task.value, [1, nil])
  }

  @Test func aCancellationDropsValuesThatWereNotRequested() async throws {
    let log = CallLog()
    let source = ScriptedPublisher<Token, Never>()
    let iterator = source.values.makeAsyncIterator()
    for value in 1...2 { source.send(Token { log.append("released \(value)") }) }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = iterator
      return await iterator.next() == nil
    }
    #expect(await task.value)
    expectEqual(log.lines, ["released 1", "released 2"])
    expectEqual(source.calls, [.cancel])
  }

  @Test func releasingTheIteratorReleasesValuesThatWereNotRequested() {
    let log = CallLog()
    let source = ScriptedPublisher<Token, Never>()
    var iterator: AsyncPublisher<ScriptedPublisher<Token, Never>>.Iterator? =
      source.values.makeAsyncIterator()
    source.send(Token { log.append("released") })
    #expect(iterator != nil)
    iterator = nil
    expectEqual(log.lines, ["released"])
  }

  @Test func aValueFromWithinTheCancellationIsDropped() async throws {
    let iterator = source.values.makeAsyncIterator()
    source.onCancel = { [source] in
      source.send(1)
      source.finish()
    }
    let task = Task {
      var iterator = iterator
      return try await iterator.next()
    }
    await waitForRequests(1)
    task.cancel()
    #expect(try await task.value == nil)
  }

  @Test func upstreamIsCancelledBeforeTheTaskGoesOn() async throws {
    let log = CallLog()
    // Gives the task the time to go on, if it could.
    source.onCancel = {
      onThreads(8) { _ in }
      log.append("cancelled")
    }
    let iterator = source.values.makeAsyncIterator()
    let task = Task.detached {
      var iterator = iterator
      _ = try await iterator.next()
      log.append("went on")
    }
    await waitForRequests(1)
    task.cancel()
    try await task.value
    expectEqual(log.lines, ["cancelled", "went on"])
  }

  @Test func afterTheEndACancellationDoesNothing() async throws {
    let iterator = source.values.makeAsyncIterator()
    let task = Task {
      var iterator = iterator
      _ = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      return try await iterator.next()
    }
    await waitForRequests(1)
    source.finish()
    #expect(try await task.value == nil)
    expectEqual(source.calls, [.request(.max(1))])
  }

  @Test func aSubscriptionThatComesAfterTheCancellationIsCancelled() async throws {
    let source = Script(sendsSubscription: false)
    let iterator = source.values.makeAsyncIterator()
    let task = Task {
      var iterator = iterator
      return try await iterator.next()
    }
    task.cancel()
    #expect(try await task.value == nil)
    expectEqual(source.sendSubscription().calls, [.cancel])
  }

  // MARK: Releasing

  @Test func leavingALoopCancels() async throws {
    source.onRequest = { [source] _ in source.send(1) }
    for try await value in source.values {
      expectEqual(value, 1)
      expectEqual(source.calls, [.request(.max(1))])
      break
    }
    expectEqual(source.calls, [.request(.max(1)), .cancel])
  }

  @Test func releasingAnUnusedIteratorCancels() {
    do { _ = source.values.makeAsyncIterator() }
    expectEqual(source.calls, [.cancel])
  }

  @Test func releasingAnIteratorAfterTheEndDoesNothing() {
    var iterator: AsyncThrowingPublisher<Script>.Iterator? = source.values.makeAsyncIterator()
    source.finish()
    withExtendedLifetime(iterator) {}
    iterator = nil
    expectEqual(source.calls, [])
  }

  @Test func aCopyKeepsTheSubscription() {
    var iterator: AsyncThrowingPublisher<Script>.Iterator? = source.values.makeAsyncIterator()
    var copy = iterator
    withExtendedLifetime((iterator, copy)) {}
    iterator = nil
    expectEqual(source.calls, [])
    copy = nil
    expectEqual(source.calls, [.cancel])
  }

  @Test(arguments: [true, false])
  func theSubscriptionIsReleasedAtTheEnd(cancels: Bool) async throws {
    weak var subscription: Subject.Upstream?
    let subject = Subject()
    let iterator = subject.values.makeAsyncIterator()
    subscription = subject.subscription
    subject.subscription = nil
    #expect(subscription != nil)
    if cancels {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        var iterator = iterator
        return await iterator.next()
      }
      _ = await task.value
    } else {
      subject.subscriber?.receive(completion: .finished)
    }
    #expect(subscription == nil)
    withExtendedLifetime(iterator) {}
  }

  /// A publisher whose subscription a test can observe.
  final class Subject: Publisher {
    final class Upstream: Subscription {
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }

    typealias Output = Int
    typealias Failure = Never

    var subscription: Upstream? = Upstream()
    var subscriber: (any Subscriber<Int, Never>)?

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
      self.subscriber = subscriber
      subscription.map { subscriber.receive(subscription: $0) }
    }
  }

  @Test func aValueIsReleasedOnceItWasReceived() async throws {
    let source = ScriptedPublisher<Token, Never>()
    var iterator = source.values.makeAsyncIterator()
    weak var released: Token?
    do {
      let token = Token()
      released = token
      source.onRequest = { _ in source.send(token) }
      let value = await iterator.next()
      #expect(value === token)
      source.onRequest = nil
    }
    #expect(released == nil)
    withExtendedLifetime(iterator) {}
  }
}
