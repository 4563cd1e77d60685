import StreamsTesting
import Testing

/// The symbols of a string as text, such as `a 1ms, | 2ms`.
private func read(_ text: String, frame: VirtualTime.Interval = .milliseconds(1)) -> String {
  do {
    return try MarbleString(parsing: text, frame: frame).symbols
      .map { "\($0.symbol.text) \($0.time)" }.joined(separator: ", ")
  } catch {
    return error.description
  }
}

extension MarbleString.Symbol {
  fileprivate var text: String {
    switch self {
    case .value(let letter): "\(letter)"
    case .finished: "|"
    case .failure: "#"
    case .subscription: "^"
    case .cancelled: "!"
    }
  }
}

struct MarbleParsingTests {
  @Test func eachCharacterIsAFrame() {
    #expect(read("-a-b|") == "a 1ms, b 3ms, | 4ms")
    #expect(read("-^-1-!#") == "^ 1ms, 1 3ms, ! 5ms, # 6ms")
    #expect(read("") == "")
    #expect(read("---") == "")
  }

  @Test func spacesPassNoTime() {
    #expect(read("  - a\t-\n b |") == "a 1ms, b 3ms, | 4ms")
  }

  @Test func aFrameIsAsLongAsYouSay() {
    #expect(read("-a-b|", frame: .seconds(10)) == "a 10s, b 30s, | 40s")
    #expect(read("-a 1ms b", frame: .microseconds(100)) == "a 100us, b 1200us")
  }

  @Test func aGroupIsOneInstantAndTakesAFrameForEachCharacter() {
    #expect(read("-(ab|)") == "a 1ms, b 1ms, | 1ms")
    #expect(read("(ab)-c") == "a 0, b 0, c 5ms")
    #expect(read("( a b )c") == "a 0, b 0, c 4ms")
    #expect(read("(a)b") == "a 0, b 3ms")
  }

  @Test func timesPassExactly() {
    #expect(read("a 10ms b") == "a 0, b 11ms")
    #expect(
      read("1.5s a 2m b 3us c 7ns |") == "a 1500ms, b 121501ms, c 121502003us, | 121503003007ns")
    #expect(read("0.000001ms a") == "a 1ns")
    #expect(read("1.50s a") == "a 1500ms")
    #expect(read("10ms") == "")
  }

  @Test func momentsCountFromTheStart() {
    #expect(read("(ab) @1ms c") == "a 0, b 0, c 1ms")
    #expect(read("a @500us b @1s |") == "a 0, b 500us, | 1s")
    #expect(read("@-2ms a-b") == "a -2ms, b 0")
    #expect(read("a @0ms b") == "a 0, b 0")
  }

  @Test func digitsWithoutAUnitAreValues() {
    #expect(read("-1-2|") == "1 1ms, 2 3ms, | 4ms")
    #expect(read("1 s 1 2 ms") == "1 0, s 1ms, 1 2ms, 2 3ms, m 4ms, s 5ms")
    #expect(read("1.5") == "1 0, . 1ms, 5 2ms")
    #expect(read("é👍🏽") == "é 0, 👍🏽 1ms")
  }

  @Test(arguments: [
    ("-a-(b", 3, "the group isn't closed, so add `)`"),
    ("-a)", 2, "this closes no group, so add `(` before it"),
    ("(a(b))", 2, "a group can't be in another group"),
    ("-( )", 1, "the group is empty, so remove it"),
    ("(a-b)", 2, "a group is one instant, so close it with `)` before the `-`"),
    ("(a 1ms b)", 3, "a group is one instant, so write the time after `)`"),
    ("a10ms b", 1, "put spaces around the time `10ms`, or between the values if it isn't a time"),
    (
      "-a\n 1.5s|", 4, "put spaces around the time `1.5s`, or between the values if it isn't a time"
    ),
    ("a @b", 2, "`@` needs a time, such as `@12ms`"),
    ("-a @0ms b", 3, "this goes back from 1ms to 0"),
    ("1.0000000001s a", 0, "the time is finer than a nanosecond, so round it"),
    ("99999999999s a", 0, "the time is too long: the clock ends after 292 years"),
    ("9000000000s 9000000000s a", 12, "this is too late: the clock ends after 292 years"),
  ])
  func anErrorHasACaretBelowItsCharacter(marbles: String, column: Int, problem: String) {
    let caret = String(repeating: " ", count: column) + "^"
    let line = marbles.replacing("\n", with: " ")
    #expect(read(marbles) == "can't read the marbles: \(problem)\n  \(line)\n  \(caret)")
  }

  @Test func aFrameMustBeLongerThanZero() {
    #expect(
      read("-a", frame: .zero) == """
        can't read the marbles: a frame of 0 is too short, so make it longer
          -a
          ^
        """)
  }
}
