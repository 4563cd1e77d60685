import Streams
import TestSupport
import Testing

// On the main actor, for the reason given in `AsyncPublisherTests`. The two kinds of iterator share
// all that awaits, so these tests are about failures only.
@Suite(.hangLimit) @MainActor struct AsyncThrowingPublisherTests {
  typealias Script = ScriptedPublisher<Int, TestError>
  typealias Iterator = AsyncThrowingPublisher<Script>.Iterator

  let source = Script()

  private func call(_ iterator: Iterator) async -> Task<Int?, any Error> {
    let before = source.calls.count
    let task = Task {
      var iterator = iterator
      return try await iterator.next()
    }
    while source.calls.count == before { await Task.yield() }
    return task
  }

  @Test func aLoopReceivesTheValuesAndThenThrows() async {
    var received: [Int] = []
    await #expect(throws: TestError("odd")) {
      for try await value in [2, 4, 5].publisher.tryMap({ value in
        if value % 2 == 1 { throw TestError("odd") }
        return value
      }).values {
        received.append(value)
      }
    }
    expectEqual(received, [2, 4])
  }

  @Test func aFailureIsThrownToTheLongestWaitingCallOnly() async throws {
    var iterator = source.values.makeAsyncIterator()
    let tasks = [await call(iterator), await call(iterator), await call(iterator)]
    source.fail("over")
    await #expect(throws: TestError("over")) { try await tasks[0].value }
    #expect(try await tasks[1].value == nil)
    #expect(try await tasks[2].value == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func aFailureWithoutASubscriptionIsThrownOnce() async throws {
    let source = ScriptedPublisher<Int, TestError>(sendsSubscription: false)
    let iterator = source.values.makeAsyncIterator()
    var begun = 0
    let tasks = (0..<2).map { _ in
      Task {
        var iterator = iterator
        begun += 1
        return try await iterator.next()
      }
    }
    while begun < 2 { await Task.yield() }
    source.fail("no more")
    var results: [String] = []
    for task in tasks {
      switch await task.result {
      case .success(let value): results.append("\(value as Any)")
      case .failure(let error): results.append("\(error)")
      }
    }
    expectEqual(results.sorted(), ["nil", "no more"])
    expectEqual(source.sendSubscription().calls, [.cancel])
  }

  /// The next results, each a value, an error or `nil`.
  private func next(_ count: Int, of iterator: inout Iterator) async -> [String] {
    var results: [String] = []
    for _ in 0..<count {
      do {
        results.append(try await iterator.next().map { "\($0)" } ?? "nil")
      } catch {
        results.append("\(error)")
      }
    }
    return results
  }

  @Test func valuesThatWereNotRequestedAndTheFirstFailureWaitForTheNextCalls() async {
    var iterator = source.values.makeAsyncIterator()
    for value in 1...2 { source.send(value) }
    source.fail("over")
    source.send(3)
    source.fail("second")
    expectEqual(await next(4, of: &iterator), ["1", "2", "over", "nil"])
    expectEqual(source.calls, [])
  }

  @Test func aFailureDuringTheRequestIsThrown() async {
    var iterator = source.values.makeAsyncIterator()
    source.onRequest = { [source] _ in source.fail("over") }
    expectEqual(await next(2, of: &iterator), ["over", "nil"])
    expectEqual(source.calls, [.request(.max(1))])
  }

  @Test func aFailureBeforeTheCancellationIsThrown() async throws {
    let iterator = source.values.makeAsyncIterator()
    source.fail("over")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var iterator = iterator
      return try await iterator.next()
    }
    await #expect(throws: TestError("over")) { try await task.value }
    expectEqual(source.calls, [])
  }

  @Test func aFinishIsNotThrown() async throws {
    var iterator = source.values.makeAsyncIterator()
    let task = await call(iterator)
    source.finish()
    #expect(try await task.value == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func aPublisherThatCannotFailCanBeWrappedToo() async throws {
    var received: [Int] = []
    for try await value in AsyncThrowingPublisher([1, 2].publisher) { received.append(value) }
    expectEqual(received, [1, 2])
  }
}
