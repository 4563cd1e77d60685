import Streams
import StreamsTesting
import TestSupport
import Testing

struct ExpectMarblesTests {
  private let clock = VirtualTimeScheduler()

  /// The recording of a marble string of letters.
  private func record(_ marbles: String) -> Recorder<String, TestError> {
    let clock = VirtualTimeScheduler()
    let source = clock.cold(marbles, failure: TestError("no more"))
    let recorder = source.record(on: clock)
    clock.run()
    return recorder
  }

  @Test func equalEventsAreNoIssue() {
    let recorder = record("-a-(bc)--#")
    #expect(
      issues {
        expectMarbles(recorder, "-a-(bc)--#")
        expectMarbles(recorder, "  - a - (bc) - - #")
        expectMarbles(recorder, "1ms a 1ms (bc) 2ms #")
        expectMarbles(recorder, "-a @3ms (bc) @9ms #")
        expectMarbles(recorder, "-x-(bc)--#", ["x": "a"])
        expectMarbles(recorder, "-a-(bc)--#", failure: "no more")
        expectMarbles(recorder.events, "-a-(bc)--#")
      } == [])
  }

  @Test func theTestHasThenLookedAtAllEvents() {
    let recorder = record("-a|")
    #expect(recorder.unreadEvents.count == 2)
    expectMarbles(recorder, "-a|")
    #expect(recorder.unreadEvents == [])
  }

  @Test func aDifferentValueIsShownInBothStrings() {
    let source = clock.cold("-a-c|", ["a": 1, "c": 3])
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      issues { expectMarbles(recorder, "-a-b|", ["a": 1, "b": 2]) } == [
        """
        the marbles differ at 3ms: expected value 2, got value 3
          expected  -a-b|
          actual    -a-3|
                       ^
          3: 3
          a: 1
          b: 2
          the actual one, to paste: "-a-3|"
        """
      ])
  }

  @Test func anIssueIsAtTheLineOfTheExpectation() {
    let recorder = record("-a")
    #expect(issueLines { expectMarbles(recorder, "--a") } == [#line])
    #expect(issueLines { expectMarbles(recorder, "--(") } == [#line])
  }

  /// What's recorded and expected, and the failure without the legend, in which each letter stands
  /// for itself.
  @Test(arguments: [
    (
      "-a--b|", "-a-b|",
      """
      the marbles differ at 3ms: expected value "b", got nothing
        expected  -a-b|
        actual    -a--b|
                     ^
      """
    ),
    (
      "-a--b|", "-a---|",
      """
      the marbles differ at 4ms: expected nothing, got value "b"
        expected  -a---|
        actual    -a--b|
                      ^
      """
    ),
    (
      "", "-a|",
      """
      the marbles differ at 1ms: expected value "a", got nothing
        expected  -a|
        actual
                   ^
      """
    ),
    // Groups and long gaps stay aligned.
    (
      "300ms (abd) 200ms c|", "300ms (abc) 200ms c|",
      """
      the marbles differ at 300ms: expected value "c", got value "d"
        expected  300ms (abc) 200ms c|
        actual    300ms (abd) 200ms c|
                           ^
      """
    ),
    (
      "a--(bc)-d|", "a--b----(ef) @9ms |",
      """
      the marbles differ at 3ms: expected nothing, got value "c"
        expected  a--b----(ef) @9ms |
        actual    a--(bc)-d--- @9ms |
                       ^
      """
    ),
    // A row ends with its last symbol.
    (
      "-a", "-(ab)",
      """
      the marbles differ at 1ms: expected value "b", got nothing
        expected  -(ab)
        actual    -a
                     ^
      """
    ),
    (
      "-a#", "-a|",
      """
      the marbles differ at 2ms: expected finished, got failure no more
        expected  -a|
        actual    -a#
                    ^
      """
    ),
  ])
  func aDifferenceIsShownInBothStrings(recorded: String, expected: String, message: String) {
    let letters = Set("\(recorded)\(expected)".replacing(/\d+ms/, with: ""))
      .intersection("abcdef").sorted()
    let lines = letters.map { "  \($0): \"\($0)\"" }
    #expect(
      issues { expectMarbles(record(recorded), expected) } == [
        ([message] + lines + ["  the actual one, to paste: \"\(recorded)\""])
          .joined(separator: "\n")
      ])
  }

  @Test func unreadableMarblesAreTheIssue() {
    #expect(
      issues { expectMarbles(record("-a"), "-a)") } == [
        """
        can't read the marbles: this closes no group, so add `(` before it
          -a)
            ^
        """
      ])
  }

  @Test func valuesWithoutALetterGetOne() {
    let source = clock.cold(
      [
        .value([1], at: .zero), .value([2], at: .milliseconds(1)),
        .value([1], at: .milliseconds(2)),
      ])
    let recorder = source.record(on: clock)
    clock.run()
    #expect(
      issues { expectMarbles(recorder, "a-a", ["a": [1], "b": [7]]) } == [
        """
        the marbles differ at 1ms: expected nothing, got value [2]
          expected  a-a
          actual    aca
                     ^
          a: [1]
          c: [2]
          the actual one, to paste: "aca"
        """
      ])
  }

  /// A new letter looks like no other one, and like no digit.
  @Test func newLettersCanBeToldApart() {
    let events = (10...60).map { TimedEvent<Int, Never>.value($0, at: .milliseconds($0)) }
    let message = issues { expectMarbles(events, "|") }.first ?? ""
    let letters = message.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: /\ +(\S): \d+/).map { String($0.1) }
    }
    #expect(
      letters.joined() == "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyzĀāĂ")
  }

  @Test func largeValuesAreCut() {
    let long = String(repeating: "long ", count: 30)
    let recorder = Just(long).record(on: clock)
    #expect(
      issues { expectMarbles(recorder, "(a|)") } == [
        """
        the marbles differ at 0: expected value "a", got value "long long long long long long long long long long long lon…
          expected  (a|)
          actual    (b|)
                     ^
          a: "a"
          b: "long long long long long long long long long long long lon…
          the actual one, to paste: "(b|)"
        """
      ])
  }

  @Test func longDiagramsAreCutAroundTheDifference() {
    let letters = String(repeating: "abcdefghij", count: 20)
    let actual = letters.prefix(120) + "X" + letters.dropFirst(121)
    let message = issues { expectMarbles(record(String(actual)), letters) }.first ?? ""
    let lines = message.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(4)) == [
        "the marbles differ at 120ms: expected value \"a\", got value \"X\"",
        "  expected  …hijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc…",
        "  actual    …hijabcdefghijabcdefghijabcdefghijabcdefghijXbcdefghijabcdefghijabcdefghijabcdefghijabc…",
        "                                                        ^",
      ])
    #expect(lines.last == "  the actual one, to paste: \"\(actual)\"")
  }

  @Test func manyLettersAreExplainedAroundTheDifference() {
    let events = (0..<200).map {
      TimedEvent<Int, Never>.value($0 == 100 ? -1 : $0, at: .milliseconds($0))
    }
    // The expected values have letters that sort like their numbers.
    let letters = (0..<200).map { Character(Unicode.Scalar(0x4E00 + $0)!) }
    let values = Dictionary(uniqueKeysWithValues: zip(letters, 0...))
    let message = issues { expectMarbles(events, String(letters), values) }.first ?? ""
    let lines = message.split(separator: "\n").map(String.init)
    let shown = (57...142).map { "  \(letters[$0]): \($0)" }
    #expect(lines[0] == "the marbles differ at 100ms: expected value 100, got value -1")
    #expect(Array(lines[4...].dropLast()) == ["  a: -1"] + shown)
  }

  @Test func aDifferentErrorIsShownInWords() {
    let recorder = record("-a#")
    #expect(
      issues { expectMarbles(recorder, "-a#", failure: "other") } == [
        """
        the marbles differ at 2ms: expected failure other, got failure no more
          expected  -a#
          actual    -a#
                      ^
          a: "a"
          the actual one, to paste: "-a#"
        """
      ])
    #expect(issues { expectMarbles(recorder, "-a#") } == [])
  }

  @Test func subscriptionsAndCancellationsCountIfTheStringHasThem() {
    let recorder = clock.cold("-a-b").record(on: clock)
    recorder.cancel(at: .milliseconds(2))
    clock.run()
    #expect(
      issues {
        expectMarbles(recorder, "-a")
        expectMarbles(recorder, "^a")
        expectMarbles(recorder, "^a!")
        expectMarbles(recorder, "-a!")
      } == [])
    #expect(
      issues { expectMarbles(recorder, "^a-!") } == [
        """
        the marbles differ at 2ms: expected nothing, got cancelled
          expected  ^a-!
          actual    ^a!
                      ^
          a: "a"
          the actual one, to paste: "^a!"
        """
      ])
  }

  @Test func anotherFrameIsUsedForBoth() {
    #expect(
      issues {
        expectMarbles(record("300ms a 99ms |"), "---b|", frame: .milliseconds(100))
      } == [
        """
        the marbles differ at 300ms: expected value "b", got value "a"
          expected  ---b|
          actual    ---a|
                       ^
          a: "a"
          b: "b"
          the actual one, to paste: "---a|"
        """
      ])
  }

  /// Draws random recordings in a failure, and expects the string to paste to be right.
  @Test(arguments: 0..<100)
  func theStringToPasteIsRight(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var time = VirtualTime.zero
    var events: [TimedEvent<Int, Never>] = []
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      let steps: [VirtualTime.Interval] = [.zero, .milliseconds(1), .microseconds(1), .seconds(1)]
      time = time.advanced(by: steps.randomElement(using: &random)!)
      events.append(.value(Int.random(in: 0..<70, using: &random), at: time))
    }
    let given: [Character: Int] = ["1": 1, "s": 2, "m": 3]
    let message = issues { expectMarbles(events, "|", given) }.first ?? ""
    let literal = try #require(message.split(separator: "paste: ").last)
    // The legend of the message, as a dictionary.
    var values = given
    for line in message.split(separator: "\n").dropFirst(4) {
      let parts = line.dropFirst(2).split(separator: ": ")
      if parts.count == 2, let value = Int(parts[1]) { values[Character(String(parts[0]))] = value }
    }
    let marbles = String(literal.dropFirst().dropLast())
    #expect(issues { expectMarbles(events, marbles, values) } == [])
  }
}
