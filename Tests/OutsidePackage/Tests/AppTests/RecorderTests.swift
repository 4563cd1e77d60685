import StreamsTesting
import Testing

@Suite(.world) struct RecorderTests {
  // region: demand
  @Test func aValueWaitsUntilItIsRequested() throws {
    let world = try World.current
    let source = world.cold("-a-b|", ["a": 1, "b": 2])
    let recorder = world.record(source, demand: .max(1))
    world.run()
    #expect(recorder.next() == .value(1, at: .milliseconds(1)))
    recorder.expectNoMoreEvents()
    #expect(source.waitingValues == [[2]])

    recorder.request(1)
    #expect(recorder.next() == .value(2, at: .milliseconds(4)))
    #expect(recorder.next() == .finished(at: .milliseconds(4)))
  }
  // endregion: demand

  // region: loop
  @Test func aLoopReadsADelayedDraft() async throws {
    let world = try World.current
    let draft = Just("draft").delay(for: .seconds(1), scheduler: DispatchQueue.main)
    var texts: [String] = []
    for await text in draft.values { texts.append("\(text) at \(world.clock.now)") }
    #expect(texts == ["draft at 1s"])
  }
  // endregion: loop
}
