import Testing

@testable import Timeline

struct ExplanationTests {
  @Test func followsTheCausesBackToTheProgram() throws {
    var run = HandMadeRun()
    let start = run.add(0, "user", .subscription, life: 1, line: 14)
    let demand = run.add(0, "user", .request(.unlimited), cause: start, life: 1, line: 14)
    let request = run.add(
      0, .request("request 1"), .network(.started(method: "GET", url: "https://a.example/1")),
      cause: demand)
    run.add(50, "other", .value("not a cause"))
    let response = run.add(
      120, .request("request 1"), .network(.response(status: 200)), cause: request)
    run.add(120, "user", .value("Ada"), cause: response, life: 1, line: 14)
    #expect(
      try run.recording().explanation(of: 6) == """
        Event 6: user delivers “Ada”.

        1    0ms  user gets a subscriber.                  main.swift:14
        2    0ms  user is asked for values without limit.  main.swift:14
        3    0ms  request 1 is made: GET https://a.example/1
        5  120ms  request 1 gets 200 OK.
        6  120ms  user delivers “Ada”.                     main.swift:14

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
