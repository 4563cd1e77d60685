import Streams
import TestSupport
import Testing

/// Races between a task that awaits and threads that send, end and cancel. A wake-up that's lost
/// hangs the test, and its time limit ends it.
@Suite(.hangLimit) struct AsyncPublisherThreadTests {
  typealias Script = ScriptedPublisher<Int, TestError>

  /// Serves each request on another thread, until `body` has returned.
  private func onEachRequest(
    of source: Script, _ serve: @escaping @Sendable (Int) -> Void,
    during body: () async throws -> Void
  ) async rethrows {
    let (requests, asked) = AsyncStream<Int>.makeStream()
    let count = Locked(0)
    source.onRequest = { _ in
      asked.yield(
        count.withLock { count in
          count += 1
          return count
        })
    }
    let server = Task.detached { for await request in requests { serve(request) } }
    try await body()
    asked.finish()
    await server.value
  }

  @Test func valuesFromAnotherThreadArriveInOrder() async throws {
    let source = Script()
    var received: [Int] = []
    try await onEachRequest(of: source) { request in
      if request <= 2000 { source.send(request) } else { source.finish() }
    } during: {
      for try await value in source.values { received.append(value) }
    }
    expectEqual(received, Array(1...2000))
  }

  @Test func theNewestValueOfASubjectAlwaysArrives() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    let sender = Task.detached { for value in 1...10_000 { subject.send(value) } }
    var last = -1
    for await value in subject.values {
      #expect(value > last)
      last = value
      if value == 10_000 { break }
    }
    expectEqual(last, 10_000)
    await sender.value
  }

  enum End: CaseIterable {
    case cancellation
    case finish
    case failure
    case value
  }

  /// One call, and two threads that each bring an end to it at the same time.
  @Test(arguments: End.allCases, End.allCases)
  func aCallIsResumedOnce(first: End, second: End) async {
    for _ in 0..<100 {
      let source = Script()
      let iterator = source.values.makeAsyncIterator()
      let task = Task {
        var iterator = iterator
        return try await iterator.next()
      }
      let perform: @Sendable (End) -> Void = { end in
        switch end {
        case .cancellation: task.cancel()
        case .finish: source.finish()
        case .failure: source.fail("over")
        case .value: source.send(1)
        }
      }
      // Not awaited before the race, so the ends also meet a call that's just beginning.
      onThreads(3) { index in
        switch index {
        case 0: perform(first)
        case 1: perform(second)
        default: task.cancel()
        }
      }
      let result = await task.result
      let expected = [first, second].contains { $0 == .failure }
      if case .failure = result, !expected { Issue.record("threw without a failure") }
      if case .success(1?) = result, first != .value, second != .value {
        Issue.record("received a value that wasn't sent")
      }
    }
  }

  @Test func manyCallsAreEachResumedOnce() async throws {
    let source = Script()
    let iterator = source.values.makeAsyncIterator()
    let received = Locked<[Int]>([])
    let tasks = (0..<8).map { _ in
      Task.detached {
        var iterator = iterator
        while let value = try await iterator.next() {
          received.withLock { $0.append(value) }
        }
      }
    }
    // Each request is answered by the thread that makes it, while others suspend and resume.
    let count = Locked(0)
    source.onRequest = { _ in
      let value = count.withLock { count in
        count += 1
        return count
      }
      if value <= 1000 { source.send(value) } else { source.finish() }
    }
    // The first requests may have come before the hook. Answer those too.
    for value in 1...8 { source.send(-value) }
    for task in tasks { _ = await task.result }
    let sent = received.withLock { $0 }.filter { $0 > 0 }
    expectEqual(Set(sent).count, sent.count)
  }

  @Test func futuresFulfilledOnAnotherThreadResumeEveryReader() async throws {
    for _ in 0..<100 {
      let work = FutureTests.Work()
      let future = work.future()
      let readers = (0..<4).map { _ in Task.detached { try await future.value } }
      onAnotherThread { work.fulfill(.success(7)) }
      for reader in readers { expectEqual(try await reader.value, 7) }
    }
  }
}
