import StreamsTesting
import Testing

@Suite(.world) struct MarbleTests {
  // region: cold
  @Test func debounceWaitsForAPause() throws {
    let world = try World.current
    let keys = world.cold("ab--c|")
    let recorder = world.record(
      keys.debounce(for: .milliseconds(2), scheduler: DispatchQueue.main))
    world.run()
    expectMarbles(recorder, "---b-|")
    expectSubscriptions(keys, ["^----|"])
  }
  // endregion: cold

  // region: hot
  @Test func aLateSubscriberMissesTheStart() throws {
    let world = try World.current
    let source = world.hot("-a-b-#", ["a": 1, "b": 2], failure: URLError(.timedOut))
    world.advance(by: .milliseconds(2))
    let recorder = world.record(source)
    world.run()
    expectMarbles(recorder, "---b-#", ["b": 2], failure: URLError(.timedOut))
    expectSubscriptions(source, ["--^--|"])
  }
  // endregion: hot
}
