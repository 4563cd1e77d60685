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
    #expect(received == [2, 4])
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
    #expect(results.sorted() == ["nil", "no more"])
    #expect(source.sendSubscription().calls == [.cancel])
  }

  @Test func aFailureWaitsForTheNextCall() async throws {
    var iterator = source.values.makeAsyncIterator()
    source.fail("over")
    var thrown: (any Error)?
    do { _ = try await iterator.next() } catch { thrown = error }
    #expect(thrown as? TestError == "over")
    #expect(try await iterator.next() == nil)
    #expect(source.calls == [])
  }

  @Test func aFailureDuringTheRequestIsThrown() async throws {
    var iterator = source.values.makeAsyncIterator()
    source.onRequest = { [source] _ in source.fail("over") }
    var thrown: (any Error)?
    do { _ = try await iterator.next() } catch { thrown = error }
    #expect(thrown as? TestError == "over")
    #expect(try await iterator.next() == nil)
    #expect(source.calls == [.request(.max(1))])
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
    #expect(source.calls == [])
  }

  @Test func valuesThatWereNotRequestedComeBeforeTheFailure() async throws {
    var iterator = source.values.makeAsyncIterator()
    for value in 1...2 { source.send(value) }
    source.fail("over")
    source.send(3)
    #expect(try await iterator.next() == 1)
    #expect(try await iterator.next() == 2)
    var thrown: (any Error)?
    do { _ = try await iterator.next() } catch { thrown = error }
    #expect(thrown as? TestError == "over")
    #expect(try await iterator.next() == nil)
    #expect(source.calls == [])
  }

  @Test func aSecondFailureIsDropped() async throws {
    var iterator = source.values.makeAsyncIterator()
    source.fail("first")
    source.fail("second")
    var thrown: (any Error)?
    do { _ = try await iterator.next() } catch { thrown = error }
    #expect(thrown as? TestError == "first")
    #expect(try await iterator.next() == nil)
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
    #expect(received == [1, 2])
  }
}
