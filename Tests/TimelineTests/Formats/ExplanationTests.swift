import Testing

@testable import Timeline

struct ExplanationTests {
  @Test func followsTheCausesBackToTheProgram() throws {
    var run = HandMadeRun()
    let start = run.add(0, "user", .subscription, life: 1, line: 14)
    let demand = run.add(0, "user", .request(.max(1)), cause: start, life: 1, line: 14)
    let request = run.add(
      0, .request("request 1"), .network(.started(method: "GET", url: "https://a.example/1")),
      cause: demand)
    run.add(50, "other", .value("not a cause"))
    let response = run.add(
      120, .request("request 1"), .network(.response(status: 200, bytes: 44)), cause: request)
    run.add(120, "user", .value("Ada"), cause: response, life: 1, line: 14)
    #expect(
      try run.recording().explanation(of: 6) == """
        Event 6: user delivers “Ada”.

        1-2    0ms  user gets a subscriber, which asks for 1 value.  main.swift:14
          3    0ms  request 1 is made: GET https://a.example/1
          5  120ms  request 1 gets 200 OK, 44 bytes.
          6  120ms  user delivers “Ada”.                             main.swift:14

        """)
  }

  /// Subscriptions and demand of an instant share a line if they ask for as many values. The event
  /// itself never does.
  @Test func subscriptionsAndDemandShareALine() throws {
    var run = HandMadeRun()
    let first = run.subscribe(0, ["a", "b", "c"])
    let demand = run.add(0, "d", .request(.max(2)), cause: first)
    let again = run.add(0, "e", .request(.max(2)), cause: demand)
    let later = run.add(7, "f", .subscription, cause: again)
    run.add(7, "g", .value("not a cause"))
    let last = run.add(7, "h", .subscription, cause: later)
    let value = run.add(7, "h", .request(.max(3)), cause: last)
    run.add(7, "i", .value("x"), cause: value)
    #expect(
      try run.recording().explanation(of: 13) == """
        Event 13: i delivers “x”.

             1-6  0ms  a, b and c get subscribers.
             7-8  0ms  d and e are asked for 2 values.
        9, 11-12  7ms  f and h get subscribers, and h is asked for 3 values.
              13  7ms  i delivers “x”.

        """)
    #expect(
      try run.recording().explanation(of: 11) == """
        Event 11: h gets a subscriber.

        1-6  0ms  a, b and c get subscribers.
        7-8  0ms  d and e are asked for 2 values.
          9  7ms  f gets a subscriber.
         11  7ms  h gets a subscriber.

        """)
  }

  /// The trigger is `b`, and `a` waited for it. `x` is a part of neither.
  @Test func namesWhatAValueIsMadeOf() throws {
    var run = HandMadeRun()
    let start = run.add(0, "zip", .subscription)
    let a = run.add(10, "left", .value("a"), cause: start)
    run.add(20, "left", .value("x"), cause: start)
    let b = run.add(30, "right", .value("b"), cause: start)
    let pair = run.add(30, "zip", .value("(a, b)"), cause: b, from: [a, b])
    run.add(30, "map", .value("ab"), cause: pair, from: [pair])
    #expect(
      try run.recording().explanation(of: 6) == """
        Event 6: map delivers “ab”.

        1   0ms  zip gets a subscriber.
        2  10ms  left delivers “a”.
        4  30ms  right delivers “b”.
        5  30ms  zip delivers “(a, b)”, made of 2 and 4.
        6  30ms  map delivers “ab”.

        """)
  }

  @Test func explainsSeveralEventsTogether() {
    var run = HandMadeRun()
    let start = run.add(0, "a", .subscription, line: 3)
    let first = run.add(5, "a", .value("1"), cause: start, line: 3)
    run.add(5, "b", .value("1"), cause: first, line: 4)
    run.add(9, "c", .value("not a cause"))
    run.add(9, "b", .finished, cause: start, line: 4)
    #expect(
      run.recording("Part").explanation(ofAll: [3, 5], called: "b", part: 0, in: .plain) == """
        b of “Part”: 2 events, marked with >

          1  0ms  a gets a subscriber.  main.swift:3
          2  5ms  a delivers “1”.       main.swift:3
        > 3  5ms  b delivers “1”.       main.swift:4
        > 5  9ms  b finishes.           main.swift:4

        """)
  }

  /// The lines of code stay in a column if they can, and lines end between words.
  @Test func fitsANarrowTerminal() throws {
    var run = HandMadeRun()
    let start = run.add(0, "a lane", .subscription, line: 1401)
    let value = run.add(0, "a lane", .value("a text of many words"), cause: start, line: 14)
    let other = run.add(5, "b", .value("24 characters, 12 of it."), cause: value, line: 1500)
    let last = run.add(5, "b", .printed("12345678901234567890123456789"), cause: other)
    run.add(9, "c", .finished, cause: last, line: 7)
    let text = try run.recording("A title of several words").explanation(
      of: 5, in: .plain, width: 46)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 46 })
    #expect(
      text == """
        Event 5 of “A title of several words”: c
        finishes.

        1  0ms  a lane gets a subscriber.
                                       main.swift:1401
        2  0ms  a lane delivers “a text of many
                words”.                main.swift:14
        3  5ms  b delivers “24 characters, 12 of it.”.
                                       main.swift:1500
        4  5ms  b prints:
                12345678901234567890123456789
        5  9ms  c finishes.            main.swift:7

        """)
  }

  @Test func hasColoursOnATerminal() throws {
    var run = HandMadeRun()
    let start = run.add(0, "user", .subscription, line: 14)
    run.add(20, "user", .failure("lost"), cause: start, line: 9)
    let text = try run.recording().explanation(of: 2, in: .coloured)
    #expect(
      text.replacing("\u{1B}[", with: "<").replacing(/(<[0-9;]+)m/) { "\($0.output.1)>" } == """
        <1>Event 2: user fails: lost.<0>

        1  <2> 0ms<0>  user<32> gets a subscriber.<0>  <2>main.swift:14<0>
        2  <2>20ms<0>  user<31> fails: lost.<0>        <2>main.swift:9<0>

        """)
  }

  @Test func anEventOfTheProgramIsItsOwnExplanation() throws {
    #expect(
      try recording((5, "a", .value("x"))).explanation(of: 1) == """
        Event 1: a delivers “x”.

        1  5ms  a delivers “x”.

        """)
  }

  @Test func eachPartHasItsOwnNumbers() throws {
    let run = Timeline.Recording(parts: fallbackRun.parts + loadTwiceRun.parts)
    let text = try run.explanation(of: 5, part: 1)
    #expect(text.hasPrefix("Event 5 of “Without share()”: load 2 gets a subscriber.\n\n"))
  }

  @Test(arguments: [
    (40, 0, "There's no event 40 in “The fallback succeeds”. Its events are 1 to 27."),
    (0, 0, "There's no event 0 in “The fallback succeeds”. Its events are 1 to 27."),
    (1, 1, "There's no event 1 in “Empty”. It has no events."),
    (1, 2, "There's no part 3. The recording has 2."),
    (1, -1, "There's no part 0. The recording has 2."),
  ])
  func reportsAnEventThatDoesNotExist(number: Int, part: Int, message: String) {
    let run = Timeline.Recording(parts: fallbackRun.parts + [.init(title: "Empty")])
    let error = #expect(throws: Timeline.ExplanationError.self) {
      try run.explanation(of: number, part: part)
    }
    #expect(error?.description == message)
  }

  @Test(arguments: 0..<100)
  func explainsEveryEventOfAnyRecording(seed: UInt64) throws {
    var random = RandomRecording(seed: seed)
    let run = random.nextUnruly()
    for (index, part) in run.parts.enumerated() {
      for event in part.events {
        #expect(try run.explanation(of: event.number, part: index).hasPrefix("Event "))
      }
    }
  }
}
