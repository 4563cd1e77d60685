import TestSupport
import Testing
import Timeline

@testable import ScenarioKit

/// What `--why` finds, and what it says if that's nothing or too much.
@Suite struct EventQueryTests {
  /// Two parts. In each, a request fails, a lane delivers a text instead, and it's printed. The
  /// ticks have nothing to do with that.
  private static let recording: Timeline.Recording = {
    let request = Timeline.Lane.request("request 1")
    func part(_ title: String, end: String) -> Timeline.Recording.Part {
      var events: [Timeline.Event] = []
      func add(
        _ time: Int, _ lane: Timeline.Lane, _ kind: Timeline.Event.Kind, cause: Int? = nil
      ) {
        events.append(
          Timeline.Event(
            number: events.count + 1, time: .milliseconds(time), place: 1, lane: lane, kind: kind,
            cause: cause, from: cause.map { [$0] } ?? []))
      }
      add(0, "catch", .subscription)
      add(0, "catch", .request(.unlimited), cause: 1)
      add(0, request, .network(.started(method: "GET", url: "https://a.example")), cause: 2)
      add(60, request, .network(.failed("timedOut")), cause: 3)
      add(60, "catch", .value("No  quote"), cause: 4)
      add(60, .console, .printed("quote: No  quote"), cause: 5)
      add(1000, "ticks", .value("2"))
      add(1000, .console, .printed(end), cause: 7)
      add(2000, "ticks", .value("2"))
      return .init(title: title, events: events)
    }
    return .init(parts: [
      part("Lost", end: "the end"), part("Lost again", end: "another end"),
    ])
  }()

  private func answer(_ query: String, part: Int? = nil) throws -> String {
    let parts = Self.recording.parts
    let query = try #require(EventQuery(query))
    let shown = part ?? (query.isInEachPart ? 1 : nil)
    return try query.explanation(
      in: .init(parts: shown.map { [parts[$0 - 1]] } ?? parts), from: shown ?? 1,
      as: .commandLine, in: .plain)
  }

  private func heading(_ query: String, part: Int? = nil) throws -> Substring {
    try #require(try answer(query, part: part).split(separator: "\n").first)
  }

  private func problem(_ query: String, part: Int? = nil) -> String? {
    do {
      _ = try answer(query, part: part)
      return nil
    } catch { return "\(error)" }
  }

  @Test func aTextIsTheEventThatShowsIt() throws {
    #expect(
      try answer("another end") == """
        Event 8 of “Lost again”: console prints: another end

        7  1000ms  ticks delivers “2”.
        8  1000ms  console prints: another end

        """)
  }

  /// Also as a part of a text, in other cases and spacing, as a sentence or a line of a transcript.
  @Test(arguments: [
    ("No quote", 5), ("“No  quote”", 5), ("quote: No quote", 6), ("quote:", 6), ("QUOTE: NO", 6),
    ("catch delivers “No  quote”.", 5), ("value No quote", 5), ("60ms  catch  value No quote", 5),
    ("60ms console quote: No quote", 6), ("timedOut", 4), ("failed: timedOut", 4),
    ("60ms request 1", 4), ("request 1 failed", 4), ("GET https://a.example", 3),
    ("2000ms", 9), ("2s", 9), ("2s ticks", 9), ("catch is asked for values without limit", 2),
    ("7", 7), ("event 7", 7), ("Event 7", 7),
    ("2000ms ticks 2", 9),
  ])
  func whatIsSeenNamesAnEvent(_ query: String, _ number: Int) throws {
    #expect(try heading(query, part: 1).hasPrefix("Event \(number) of “Lost”: "))
  }

  /// The value and the line that prints it are one thing, and the line comes last.
  @Test func theLastEventOfAChainStandsForTheOthers() throws {
    #expect(try heading("quote", part: 1).hasPrefix("Event 6 of “Lost”: "))
  }

  @Test func aTimeOrALaneStandsForAllItsEvents() throws {
    #expect(
      try answer("60ms") == """
        60ms of “Lost”: 3 events, marked with >

          1-2   0ms  catch gets a subscriber.
            3   0ms  request 1 is made: GET https://a.example
        >   4  60ms  request 1 fails: timedOut.
        >   5  60ms  catch delivers “No  quote”.
        >   6  60ms  console prints: quote: No  quote

        """)
    #expect(
      try answer("ticks", part: 2) == """
        ticks of “Lost again”: 2 events, marked with >

        > 7  1000ms  ticks delivers “2”.
        > 9  2000ms  ticks delivers “2”.

        """)
  }

  @Test(
    arguments: [
      ("99", nil, "There's no event 99 in “Lost”. Its events are 1 to 9."),
      ("0", nil, "There's no event 0 in “Lost”. Its events are 1 to 9."),
      (
        "nothing like this", nil,
        "nothing in the run is \"nothing like this\". --why takes a text that's printed or delivered, a "
          + "time, a lane, or an event's number, and --trace lists all events"
      ),
      (
        "catsh", 1,
        "nothing in “Lost” is \"catsh\". Did you mean \"catch\"? --why takes a text that's printed or "
          + "delivered, a time, a lane, or an event's number, and --trace lists all events"
      ),
      (
        "500ms", nil,
        "nothing happens at 500ms in “Lost”. The closest times are 60ms and 1000ms"
      ),
      (
        "9s ticks", 2,
        "nothing happens at 9s in “Lost again”. The closest time is 2000ms"
      ),
      (
        "value 2", 1,
        "\"value 2\" is in 2 events: 7 (1000ms, ticks), 9 (2000ms, ticks). Choose one, such as --why 7"
      ),
      (
        "value 2", nil,
        "\"value 2\" is in 4 events: 7 of part 1 (1000ms, ticks), 9 of part 1 (2000ms, ticks), 7 of part "
          + "2 (1000ms, ticks), 9 of part 2 (2000ms, ticks). Choose one, such as --why 7 --part 1"
      ),
      (
        "e", nil,
        "\"e\" is in 6 events: 6 of part 1 (60ms, console), 8 of part 1 (1000ms, console), 9 of part 1 "
          + "(2000ms, ticks) and 3 more. Choose one, such as --why 6 --part 1"
      ),
      ("ticks", nil, "ticks is in 2 parts. Choose one with --part: 1 (Lost), 2 (Lost again)"),
    ] as [(String, Int?, String)])
  func whatCannotBeFoundIsExplained(_ query: String, _ part: Int?, _ message: String) {
    #expect(problem(query, part: part) == message)
  }

  @Test func nothingIsNoQuery() {
    #expect(EventQuery("") == nil)
    #expect(EventQuery(" \n\t") == nil)
  }

  /// Nothing is written but the error.
  @Test(
    arguments: [
      (["--why", "nothing like this"], "nothing in the run is "),
      (["--why", "99"], "There's no event 99 in "),
      (["--why", ""], "--why needs a text"), (["--why", "50ms"], "nothing happens at 50ms in "),
      (["--why", "quote:"], nil), (["--why", "completion"], "\"completion\" is in 2 events"),
    ] as [([String], String?)])
  func aWrongQueryIsAWrongCommandLine(_ arguments: [String], _ message: String?) async throws {
    let result = try await runExecutable("new-scenario", arguments: arguments)
    #expect(result.status == (message == nil ? 0 : 64))
    #expect(result.stdout.isEmpty == (message != nil))
    #expect(result.stderr.hasPrefix(message.map { "new-scenario: \($0)" } ?? ""))
    #expect(result.stderr.split(separator: "\n").count == (message == nil ? 0 : 1))
  }

  /// A test asks in its own words, and counts parts from 0.
  @Test func aTestAsksTheSame() throws {
    let recording = Self.recording
    #expect(try recording.explanation(of: "another end") == answer("another end"))
    #expect(
      try Timeline.Recording(parts: [recording.parts[1]]).explanation(of: "ticks")
        == answer("ticks", part: 2))
    #expect(try recording.explanation(of: "7") == recording.explanation(of: 7))
    #expect(
      ["value 2", "ticks", "catsh", " ", "event 99"].map { query in
        #expect(throws: Timeline.ExplanationError.self) {
          try recording.explanation(of: query)
        }?.description
      } == [
        "\"value 2\" is in 4 events: 7 of part 0 (1000ms, ticks), 9 of part 0 (2000ms, ticks), 7 of "
          + "part 1 (1000ms, ticks), 9 of part 1 (2000ms, ticks). Choose one, such as explanation(of: "
          + "7, part: 0)",
        "ticks is in 2 parts. Look in one of them: 0 (Lost), 1 (Lost again)",
        "nothing in the run is \"catsh\". Did you mean \"catch\"? explanation(of:) takes a text "
          + "that's printed or delivered, a time, a lane, or an event's number, and trace() lists all "
          + "events",
        "there's nothing to look for. explanation(of:) takes a text that's printed or delivered, a "
          + "time, a lane, or an event's number",
        "There's no event 99 in “Lost”. Its events are 1 to 9.",
      ])
    #expect(throws: Timeline.ExplanationError.self) {
      try Timeline.Recording().explanation(of: "ticks")
    }
  }
}
