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

  @Test func aKnownResultIsReturned() async {
    let results: [Result<Int, TestError>] = [.success(7), .failure("over")]
    for result in results {
      let future = FutureTests.IntFuture { $0(result) }
      for _ in 0..<2 { expectEqual(await self.result { try await future.value }, result) }
    }
    expectEqual(await Future<Int, Never> { $0(.success(8)) }.value, 8)
  }

  @Test(arguments: [Result<Int, TestError>.success(7), .failure("over")])
  func everyReaderGetsTheResultOnceItIsThere(result: Result<Int, TestError>) async {
    let future = work.future()
    let tasks = [await read(future), await read(future)]
    work.fulfill(result)
    for task in tasks { expectEqual(await self.result { try await task.value }, result) }
    expectEqual(await self.result { try await future.value }, result)
  }

  private func result(_ value: () async throws -> Int) async -> Result<Int, TestError> {
    do { return .success(try await value()) } catch { return .failure(error as? TestError ?? "?") }
  }

  @Test func aValueFromAnotherThreadIsReceived() async {
    let future = Future<Int, Never> { promise in
      onAnotherThread { promise(.success(7)) }
    }
    expectEqual(await future.value, 7)
  }

  @Test(arguments: [false, true])
  func aCancellationIsNotObserved(isBeforeTheCall: Bool) async throws {
    let future = work.future()
    let task =
      if isBeforeTheCall {
        Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await future.value
        }
      } else {
        await read(future)
      }
    task.cancel()
    work.fulfill(.success(7))
    expectEqual(try await task.value, 7)
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
