import Streams
import TestSupport
import Testing

// On the main actor, for the reason given in `AsyncPublisherTests`.
@Suite(.hangLimit) @MainActor struct FutureValueTests {
  let work = FutureTests.Work()

  /// Reads the value in a new task, and waits until the task has suspended.
  private func read(_ future: FutureTests.IntFuture) async -> Task<Int, any Error> {
    var hasBegun = false
    let task = Task {
      hasBegun = true
      return try await future.value
    }
    while !hasBegun { await Task.yield() }
    return task
  }

  @Test func aKnownValueIsReturned() async throws {
    #expect(try await FutureTests.IntFuture { $0(.success(7)) }.value == 7)
    #expect(await Future<Int, Never> { $0(.success(8)) }.value == 8)
  }

  @Test func aKnownFailureIsThrown() async {
    let future = FutureTests.IntFuture { $0(.failure("over")) }
    await #expect(throws: TestError("over")) { try await future.value }
    await #expect(throws: TestError("over")) { try await future.value }
  }

  @Test func everyReaderGetsTheValueOnceItIsThere() async throws {
    let future = work.future()
    let tasks = [await read(future), await read(future)]
    work.fulfill(.success(7))
    for task in tasks { #expect(try await task.value == 7) }
    #expect(try await future.value == 7)
  }

  @Test func everyReaderGetsTheFailure() async {
    let future = work.future()
    let tasks = [await read(future), await read(future)]
    work.fulfill(.failure("over"))
    for task in tasks {
      await #expect(throws: TestError("over")) { try await task.value }
    }
  }

  @Test func aValueFromAnotherThreadIsReceived() async {
    let future = Future<Int, Never> { promise in
      onAnotherThread { promise(.success(7)) }
    }
    #expect(await future.value == 7)
  }

  @Test func aCancellationIsNotObserved() async throws {
    let future = work.future()
    let task = await read(future)
    task.cancel()
    work.fulfill(.success(7))
    #expect(try await task.value == 7)
  }

  @Test func aCancelledTaskStillReceivesTheValue() async throws {
    let future = work.future()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await future.value
    }
    work.fulfill(.success(7))
    #expect(try await task.value == 7)
  }

  @Test func valuesNeedNotBeSendable() async throws {
    final class Box {
      var number = 0
    }
    let box = Box()
    let future = Future<Box, any Error> { $0(.success(box)) }
    #expect(try await future.value === box)
    let other = Future<Box, Never> { $0(.success(box)) }
    #expect(await other.value === box)
  }

  @Test func theFutureIsReleasedAfterwards() async {
    weak var released: Future<Token, Never>?
    do {
      let future = Future<Token, Never> { $0(.success(Token())) }
      released = future
      _ = await future.value
    }
    #expect(released == nil)
  }
}
