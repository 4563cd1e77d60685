import StreamsFoundation
import Testing

// The code in docs/async.md, and its tests. Compiled in both language modes.

// region: loop
func firstTitles(_ titles: some Publisher<String, Never>) async -> [String] {
  var received: [String] = []
  for await title in titles.values {
    received.append(title)
    if received.count == 2 { break }  // Leaving the loop cancels the subscription.
  }
  return received
}
// endregion

// region: throwing
func total(_ prices: some Publisher<Int, any Error>) async throws -> Int {
  var total = 0
  for try await price in prices.values { total += price }
  return total
}
// endregion

// region: model
@MainActor
final class Reader {
  let pages = PassthroughSubject<String, Never>()
  private(set) var shown: [String] = []

  func follow() -> Task<Void, Never> {
    Task {
      for await page in pages.values { shown.append(page) }
    }
  }
}
// endregion

// region: lost
func lateLoop() async -> [Int] {
  let subject = PassthroughSubject<Int, Never>()
  subject.send(1)  // Lost: nothing has subscribed yet.
  var iterator = subject.values.makeAsyncIterator()
  subject.send(2)  // Lost: no call of `next()` is waiting.
  subject.send(completion: .finished)  // Kept for the next call.
  return [await iterator.next()].compactMap { $0 }
}
// endregion

// region: buffer
func bufferedLoop() async -> [Int] {
  let subject = PassthroughSubject<Int, Never>()
  let values = subject.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest).values
  var iterator = values.makeAsyncIterator()
  for number in 1...3 { subject.send(number) }
  subject.send(completion: .finished)
  var received: [Int] = []
  while let number = await iterator.next() { received.append(number) }
  return received
}
// endregion

// region: future
func answer() -> Future<Int, Never> {
  Future { promise in promise(.success(42)) }
}

func describe() async -> String { "The answer is \(await answer().value)." }
// endregion

// region: task
func sendFromATask() async -> [Int] {
  let subject = PassthroughSubject<Int, Never>()
  var received: [Int] = []
  let cancellable = subject.sink { received.append($0) }
  await Task { subject.send(1) }.value
  cancellable.cancel()
  return received
}
// endregion

@Suite(.timeLimit(.minutes(15))) struct AsyncTests {
  struct Broken: Error {}

  @Test func aLoopEndsWithBreak() async {
    let titles = ["Sketch", "Notes", "Map"].publisher
    #expect(await firstTitles(titles) == ["Sketch", "Notes"])
  }

  @Test func aLoopThrowsTheFailure() async throws {
    #expect(try await total([1, 2].publisher.setFailureType(to: (any Error).self)) == 3)
    await #expect(throws: Broken.self) {
      try await total(Fail(error: Broken()))
    }
  }

  @Test @MainActor func aLoopOnTheMainActorStopsWithItsTask() async {
    let reader = Reader()
    let task = reader.follow()
    while reader.shown.isEmpty {
      reader.pages.send("first")
      await Task.yield()
    }
    task.cancel()
    reader.pages.send("late")
    await task.value
    #expect(Set(reader.shown) == ["first"])
  }

  @Test func valuesBetweenCallsAreLostWithoutABuffer() async {
    #expect(await lateLoop() == [])
    #expect(await bufferedLoop() == [1, 2, 3])
  }

  @Test func aFutureGivesItsValue() async throws {
    #expect(await describe() == "The answer is 42.")
    let failing = Future<Int, any Error> { $0(.failure(Broken())) }
    await #expect(throws: Broken.self) { try await failing.value }
  }

  @Test @MainActor func aFutureGivesItsValueOnTheMainActor() async throws {
    let future = Future<Int, any Error> { $0(.success(7)) }
    #expect(try await future.value == 7)
  }

  @Test func aTaskMayCaptureASubject() async {
    #expect(await sendFromATask() == [1])
  }
}
