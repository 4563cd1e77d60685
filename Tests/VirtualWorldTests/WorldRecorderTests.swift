import StreamsTesting
import TestSupport
import Testing

/// A world reports values that the test hasn't looked at.
@Suite struct WorldRecorderTests {
  private static let message =
    "the test didn't look at 2 events of the recorder made at VirtualWorldTests/"
    + "WorldRecorderTests.swift"

  @Test func valuesThatTheTestHasNotLookedAtAreReported() {
    let line = #line + 2
    let found = problems { world in
      let recorder = world.record(world.cold("a-b|"))
      world.step()
      #expect(recorder.values == ["a"])
      world.run()
    }
    #expect(
      found == [
        "WorldRecorderTests.swift:\(line): \(Self.message):\(line): value \"b\" at 2ms, finished at 3ms"
      ])
  }

  @Test func aRecorderThatWasMadeOnTheClockOfTheWorldCountsToo() {
    let line = #line + 2
    let found = problems { world in
      _ = world.cold("a|").record(on: world.clock)
      world.run()
    }
    #expect(
      found == [
        "WorldRecorderTests.swift:\(line): \(Self.message):\(line): value \"a\" at 0, finished at 1ms"
      ])
  }

  @Test func lookingAtTheEventsOrTheTranscriptIsEnough() {
    let found = problems { world in
      let first = world.record(world.cold("a-b|"))
      let second = world.record(world.hot("-x-|"), as: "second")
      world.run()
      expectMarbles(first, "a-b|")
      #expect(
        world.transcript == """
          0ms  second  subscribed
          0ms  second  request unlimited
          1ms  second  value x
          3ms  second  finished

          """)
      _ = second
    }
    #expect(found == [])
  }

  /// The record shows what its recorders have received, in any format.
  @Test(
    arguments: [
      { $0.marbles() }, { $0.transcript() }, { $0.trace() },
      { "\($0.events.count)" },
    ] as [@Sendable (Timeline.Recording) -> String])
  func readingTheRecordIsLookingAtIt(read: @Sendable (Timeline.Recording) -> String) {
    let found = problems { world in
      _ = world.record(world.cold("a-b|"), as: "letters")
      world.run()
      #expect(read(world.timeline.recording) != "")
    }
    #expect(found == [])
  }

  /// The record doesn't show this recorder, and doesn't show what comes later.
  @Test func readingTheRecordLooksAtNothingElse() {
    let found = problems { world in
      _ = world.record(world.cold("a|"))
      _ = world.record(world.cold("-b-c|"), as: "letters")
      world.advance(by: .milliseconds(2))
      _ = world.timeline.recording.marbles()
      world.run()
    }
    #expect(found.count == 2)
    #expect(found.first?.hasSuffix(#"value "a" at 0, finished at 1ms"#) == true)
    #expect(found.last?.hasSuffix(#"value "c" at 3ms, finished at 4ms"#) == true)
  }

  @Test func theWorldCancelsItsRecorders() {
    let found = problems { world in
      let recorder = world.record(
        Timer.publish(every: 1, on: .main, in: .common).autoconnect().map { _ in 1 }, as: "timer")
      world.advance(by: .seconds(2))
      #expect(recorder.values == [1, 1])
    }
    #expect(found == [])
  }

  @Test func codeThatSaysMainRunsWithoutAScheduler() {
    withWorld { world in
      let recorder = world.record(
        world.cold("a-b---c-----|").debounce(for: .milliseconds(3), scheduler: DispatchQueue.main))
      world.run()
      expectMarbles(recorder, "5ms b 3ms c 2ms |")
    }
  }
}
