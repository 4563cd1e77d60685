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

  // region: difference
  @Test func comparesTwoStrings() throws {
    let wanted = try MarbleString(parsing: "-a---(b|)")
    let yours = try MarbleString(parsing: "-a---b--(c|)")
    let difference = try #require(MarbleDifference(expected: wanted, actual: yours))
    #expect(difference.time == .milliseconds(5))
    #expect(difference.expectedSymbol == .finished)
    #expect(MarbleLayout([wanted, yours]).rows == ["-a---(b|)", "-a---b--(c|)"])
  }
  // endregion: difference

  @MainActor @Test func aTestCanReceiveProblems() async {
    await confirmation { receivesProblem in
      let check: @Sendable (World.Problem) -> Void = { problem in
        #expect(problem.message.hasPrefix("the marbles differ at 1ms"))
        receivesProblem()
      }
      withWorld(onProblem: check) { world in
        let recorder = world.record(world.cold("-a|"))
        world.run()
        expectMarbles(recorder, "-b|")
      }
    }
  }
}
