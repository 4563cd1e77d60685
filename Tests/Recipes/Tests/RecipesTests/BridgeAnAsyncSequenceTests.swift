import StreamsTesting
import Testing

@testable import Recipes

@Suite(.world, .drawn) struct BridgeAnAsyncSequenceTests {
  // region: test
  @Test func `A busy loop loses nothing`() async throws {
    let world = try World.current
    let messages = world.hot("-a-bc--d-|")
      .lane("messages")
    var received: [String] = []
    for await message in messages.allValues() {
      received.append(message)
      // Longer than the pauses between messages.
      try await world.swiftClock.sleep(
        for: .milliseconds(5))
    }
    #expect(received == ["a", "b", "c", "d"])
  }
  // endregion

  @Test func `Beyond the limit the oldest ones are dropped`() async throws {
    let world = try World.current
    var loop = world.hot("-abcd|").allValues(limit: 2).makeAsyncIterator()
    world.run()
    var received: [String] = []
    while let message = await loop.next() { received.append(message) }
    #expect(received == ["c", "d"])
  }
}

@Suite struct AsyncSequenceAsPublisherTests {
  // region: back
  @Test func `The elements become values`() async throws {
    let lines = AsyncStream<String> { continuation in
      for line in ["one", "", "two"] { continuation.yield(line) }
      continuation.finish()
    }
    var received: [String] = []
    for await line in nonEmptyLines(of: lines).values { received.append(line) }
    #expect(received == ["one", "two"])
  }
  // endregion

  @Test func `An error becomes the failure`() async {
    let lines = AsyncThrowingStream<String, any Error> { continuation in
      continuation.yield("one")
      continuation.finish(throwing: Oops())
    }
    var received: [String] = []
    await #expect(throws: Oops()) {
      for try await line in nonEmptyLines(of: lines).values { received.append(line) }
    }
    #expect(received == ["one"])
  }
}
