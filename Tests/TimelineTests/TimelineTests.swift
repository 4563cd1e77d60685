import Streams
import TestSupport
import Testing
import Timeline
import VirtualTime

struct TimelineTests {
  @Test func numbersEventsAndTheirPlacesAtEachInstant() {
    let clock = VirtualTimeScheduler()
    let timeline = Timeline(clock: clock)
    timeline.record(.note("a"), in: "x")
    timeline.record(.note("b"), in: "y", thread: "main")
    clock.advance(by: .milliseconds(5))
    let third = timeline.record(.note("c"), in: "x", cause: 2)
    #expect(
      timeline.recording.events == [
        .init(number: 1, time: .zero, place: 1, lane: "x", kind: .note("a")),
        .init(number: 2, time: .zero, place: 2, lane: "y", kind: .note("b"), thread: "main"),
        .init(
          number: 3, time: .milliseconds(5), place: 1, lane: "x", kind: .note("c"), cause: 2),
      ])
    #expect(third == timeline.recording.events[2])
    #expect(timeline.recording.lanes == ["x", "y"])
  }

  @Test func listsLanesInOrderOfFirstUse() {
    let lanes = recording(
      (0, .subscriber("b"), .finished), (0, "a", .finished), (1, .subscriber("b"), .finished),
      (2, "b", .finished)
    ).lanes
    #expect(lanes == [.subscriber("b"), "a", .operator("b")])
  }

  @Test func theEnclosingEventIsTheCause() {
    let timeline = Timeline(now: { .zero })
    let other = Timeline(now: { .zero })
    timeline.record(.note("1"), in: "x") {
      timeline.record(.note("2"), in: "x") {
        timeline.record(.note("3"), in: "x")
        other.record(.note("of another run"), in: "x")
      }
      timeline.record(.note("4"), in: "x")
      timeline.record(.note("5"), in: "x", cause: 3)
    }
    timeline.record(.note("6"), in: "x")
    #expect(timeline.recording.events.map(\.cause) == [nil, 1, 2, 1, 3, nil])
    #expect(other.recording.events.map(\.cause) == [nil])
  }

  @Test func anEventIsRecordedEvenIfItsBodyThrows() {
    let timeline = Timeline(now: { .zero })
    #expect(throws: TestError("no")) {
      try timeline.record(.note("1"), in: "x") { throw TestError("no") }
    }
    timeline.record(.note("2"), in: "x")
    #expect(timeline.recording.events.map(\.cause) == [nil, nil])
  }

  @Test func usesTheTimelinesThreadByDefault() {
    let timeline = Timeline(now: { .zero }, thread: { "main" })
    timeline.record(.finished, in: "x")
    timeline.record(.finished, in: "x", thread: "queue")
    #expect(timeline.recording.events.map(\.thread) == ["main", "queue"])
  }

  @Test func timeNeverGoesBack() {
    let times = CallLog()
    // Two readings of the clock that arrive in the wrong order.
    let timeline = Timeline(now: {
      times.append("read")
      return times.lines.count == 1 ? .milliseconds(2) : .milliseconds(1)
    })
    timeline.record(.finished, in: "x")
    timeline.record(.finished, in: "x")
    #expect(timeline.recording.events.map(\.time) == [.milliseconds(2), .milliseconds(2)])
    #expect(timeline.recording.events.map(\.place) == [1, 2])
  }

  @Test func putsEventsIntoParts() {
    let timeline = Timeline(now: { .zero })
    timeline.record(.note("1"), in: "x")
    timeline.beginPart("Second")
    timeline.record(.note("2"), in: "x")
    #expect(timeline.recording.parts.map(\.title) == [nil, "Second"])
    #expect(timeline.recording.parts.map { $0.events.map(\.number) } == [[1], [2]])
    #expect(timeline.recording.filter { $0.number == 2 }.events.map(\.number) == [2])
    #expect(timeline.recording.filter { _ in false }.parts.map(\.title) == [nil, "Second"])
  }

  @Test func manyThreadsMayRecord() async {
    let timeline = Timeline(now: { .zero })
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for number in 0..<500 {
            timeline.record(.note("\(number)"), in: Timeline.Lane("\(thread)", role: .source))
          }
        }
      }
    }
    let events = timeline.recording.events
    #expect(events.map(\.number) == Array(1...2000))
    #expect(events.map(\.place) == Array(1...2000))
    for lane in timeline.recording.lanes {
      let texts = events.filter { $0.lane == lane }.map(\.kind.description)
      #expect(texts == (0..<500).map { "\($0)" })
    }
  }
}
