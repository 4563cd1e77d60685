import Streams
import TestSupport
import Testing
import Timeline
import VirtualTime

@testable import ScenarioKit

/// What `--until` and the player say about a moment.
@Suite struct RunStateTests {
  private let clock = VirtualTimeScheduler(
    name: "clock", limits: .default, takeSite: { CauseSite() },
    carry: { Timeline.carryingCause($0, isRepeated: $1) }, onFailure: GuardFailure.trap)

  /// The states of a run, as `--until` prints them without the heading.
  private func report(
    _ moment: Moment, _ body: (Timeline, VirtualTimeScheduler) -> Void
  ) throws -> String {
    let timeline = Timeline(clock: clock)
    let log = WaitingLog(of: moment)
    let following = log.follow(timeline, on: clock)
    timeline.recording { body(timeline, clock) }
    clock.run()
    following.cancel()
    let part = Timeline.Recording.Part(title: "Part", events: timeline.recording.events)
    return try RunState.report(at: moment, of: part, log.moments)
  }

  /// A request with a chunk, a timer, and a lane with a limited demand.
  private func run(_ timeline: Timeline, _ clock: VirtualTimeScheduler) {
    let request = Timeline.Lane.request("request 1")
    timeline.record(.network(.started(method: "GET", url: "https://a")), in: request)
    let values = PassthroughSubject<Int, Never>()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: { _ in
        clock.schedule(after: .milliseconds(60)) {}
        return .none
      })
    values.recorded(as: "values", on: timeline).subscribe(subscriber)
    clock.schedule(after: .milliseconds(10)) {
      timeline.record(.network(.response(status: 200)), in: request)
      timeline.record(.network(.chunk(bytes: 5)), in: request)
      values.send(1)
    }
    clock.schedule(after: .milliseconds(20)) { clock.schedule(after: .milliseconds(90)) {} }
    clock.schedule(after: .milliseconds(50)) {
      timeline.record(.network(.finished), in: request)
      values.send(completion: .finished)
    }
  }

  @Test func anEventShowsWhatItLedTo() throws {
    #expect(
      try report(.event(4), run) == """
        # Part
        10ms, after event 4: request 1 gets 200 OK.

        waiting on the clock
          20ms  in 10ms  a timer of the pipeline
          50ms  in 40ms  a timer of the pipeline

        values kept by operators: nothing

        requests in flight
          request 1  GET https://a  200 OK, since 0ms

        values asked for
          values  2 more  0 delivered

        """)
  }

  /// Also what was scheduled without an event.
  @Test func aTimeShowsWhatWaitsThen() throws {
    #expect(
      try report(.time(.milliseconds(40)), run) == """
        # Part
        40ms, after event 6 at 10ms: values delivers “1”.

        waiting on the clock
          50ms  in 10ms  a timer of the pipeline
          60ms  in 20ms  a timer of the pipeline  set at event 6
          90ms  in 50ms  a timer of the pipeline

        values kept by operators: nothing

        requests in flight
          request 1  GET https://a  200 OK, 5 bytes, since 0ms

        values asked for
          values  1 more  1 delivered

        """)
  }

  /// The operators have the names that `print()` shows too.
  @Test func valuesThatOperatorsHoldAreGrouped() throws {
    let text = try report(.time(.milliseconds(20))) { timeline, clock in
      let (left, right) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let subscription = timeline.recording {
        left.recorded(as: "left", on: timeline).zip(right.recorded(as: "right", on: timeline))
          .collect(3).recorded(as: "pairs", on: timeline).sink { _ in }
      }
      for value in 1...3 {
        clock.schedule(after: .milliseconds(10)) { left.send(value) }
      }
      clock.schedule(after: .milliseconds(20)) { right.send(8) }
      clock.schedule(after: .milliseconds(30)) { subscription.cancel() }
    }
    let blocks = text.components(separatedBy: "\n\n")
    #expect(
      blocks[2] == """
        values kept by operators
          zip             “2”, “3”
          collectByCount  “1” with “8”
        """)
  }

  @Test func aValueOfSeveralLinesStaysInItsRow() throws {
    let text = try report(.time(.zero)) { timeline, clock in
      let lines = PassthroughSubject<String, Never>()
      lines.recorded(as: "lines", on: timeline).collect().recorded(as: "all", on: timeline)
        .subscribe(AnySubscriber(receiveSubscription: { $0.request(.unlimited) }))
      lines.send("a\nb")
    }
    #expect(text.contains("values kept by operators\n  collect  “a\\nb”\n"))
  }

  /// A publisher that delivers more than was asked for has a bug that people look for like this.
  @Test func aRoguePublisherIsShown() throws {
    let text = try report(.time(.zero)) { timeline, clock in
      let subscriber = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) }, receiveValue: { _ in .none })
      RoguePublisher().recorded(as: "👍", on: timeline).subscribe(subscriber)
    }
    #expect(text.hasSuffix("values asked for\n  👍  1 more than asked for  2 delivered\n"))
  }

  private struct RoguePublisher: Publisher {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber<Int, Never>>(subscriber: S) {
      subscriber.receive(subscription: Subscriptions.empty)
      for value in 1...2 { _ = subscriber.receive(value) }
    }
  }

  @Test func theEndHasNothingLeft() throws {
    #expect(
      try report(#require(Moment(parsing: "9s")), run) == """
        # Part
        9s, after event 8 at 50ms: values finishes.

        waiting on the clock: nothing

        values kept by operators: nothing

        requests in flight: nothing

        values asked for: nothing

        """)
  }

  @Test func nothingHasHappenedBeforeTheFirstEvent() throws {
    let text = try report(.time(.milliseconds(5))) { timeline, clock in
      clock.schedule(after: .milliseconds(10)) { timeline.record(.note("a"), in: "lane") }
    }
    #expect(text == "# Part\nnothing has happened yet\n")
  }

  @Test(
    arguments: [
      ("600ms", .time(.milliseconds(600))), ("0", .time(.zero)), ("event 12", .event(12)),
      ("1s", .time(.seconds(1), in: TimeUnit(of: "1s"))), ("1000ms", .time(.seconds(1))),
      ("event 0", nil), ("event +1", nil), ("event", nil), ("12", nil), ("never", nil),
      ("-5ms", nil), ("", nil),
    ] as [(String, Moment?)])
  func readsAMoment(text: String, moment: Moment?) {
    #expect(Moment(parsing: text) == moment)
  }

  @Test func aPartWithoutTheEventIsAnError() async throws {
    let result = try await runExecutable("many-orders", arguments: ["--until", "event 99"])
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(
      result.stderr
        == "many-orders: There's no event 99 in “Two letters”. Its events are 1 to 10. For another "
        + "part, add --part N\n")
  }

  @Test func aReplayCanBeStoppedToo() async throws {
    let result = try await runExecutable(
      "many-orders",
      arguments: ["--part", "2", "--replay", "100ms:1", "--until", "event 5"])
    #expect(result.stderr == "")
    #expect(
      result.stdout == """
        many-orders: Load two letters at one instant.

        # Two letters again
        100ms, after event 5: request 2 finishes.

        waiting on the clock
          100ms  now  request 1 goes on

        values kept by operators: nothing

        requests in flight
          request 1  GET https://example.com/a  sent, since 0ms

        values asked for: nothing

        """)
  }
}
