import StreamsTesting
import Testing

@Suite(.world) struct MarbleTests {
  // region: cold
  @Test func debounceWaitsForAPause() throws {
    let clock = try World.current.clock
    let keys = clock.cold("ab--c|")
    let recorder = keys.debounce(for: .milliseconds(2), scheduler: clock).record(on: clock)
    clock.run()
    expectMarbles(recorder, "---b-|")
    expectSubscriptions(keys, ["^----|"])
  }
  // endregion: cold

  // region: hot
  @Test func aLateSubscriberMissesTheStart() throws {
    let clock = try World.current.clock
    let source = clock.hot("-a-b-#", ["a": 1, "b": 2], failure: URLError(.timedOut))
    clock.advance(by: .milliseconds(2))
    let recorder = source.record(on: clock)
    clock.run()
    expectMarbles(recorder, "---b-#", ["b": 2], failure: URLError(.timedOut))
    expectSubscriptions(source, ["--^--|"])
  }
  // endregion: hot
}
