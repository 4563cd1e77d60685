import StreamsTesting
import TestSupport
import Testing

struct MarbleDifferenceTests {
  private func difference(
    _ expected: String, _ actual: String, frame: VirtualTime.Interval = .milliseconds(1)
  ) throws -> MarbleDifference? {
    MarbleDifference(
      expected: try MarbleString(parsing: expected, frame: frame),
      actual: try MarbleString(parsing: actual, frame: frame), frame: frame)
  }

  @Test func equalStringsHaveNone() throws {
    #expect(try difference("", "") == nil)
    #expect(try difference("-a-(b|)", "1ms a 1ms (b|)") == nil)
  }

  @Test func anotherValueIsAtItsMoment() throws {
    let difference = try #require(try difference("-a-b|", "-a-c|"))
    #expect(difference.time == .milliseconds(3))
    #expect(difference.expectedSymbol == .value("b"))
    #expect(difference.actualSymbol == .value("c"))
    #expect(
      difference.description == """
        the marbles differ at 3ms: expected b, got c
          expected  -a-b|
          actual    -a-c|
                       ^
          the actual one, to paste: "-a-c|"
        """)
  }

  @Test func aLateEndDiffersWhereItIsExpected() throws {
    let difference = try #require(try difference("-a-(b|)", "-a-b--|"))
    #expect(difference.time == .milliseconds(3))
    #expect(difference.expectedSymbol == .finished)
    #expect(difference.actualSymbol == nil)
    #expect(
      difference.description == """
        the marbles differ at 3ms: expected finished, got nothing
          expected  -a-(b|)
          actual    -a-b--|
                         ^
          the actual one, to paste: "-a-b--|"
        """)
  }

  @Test func anEarlySubscriptionDiffersWhereItHappened() throws {
    let difference = try #require(try difference("--^--!", "^--!"))
    #expect(difference.time == .zero)
    #expect(difference.expectedSymbol == nil)
    #expect(difference.actualSymbol == .subscription)
  }

  @Test func usesTheFrame() throws {
    let difference = try #require(try difference("-a|", "-a-|", frame: .milliseconds(10)))
    #expect(difference.time == .milliseconds(20))
    #expect(difference.description.hasSuffix("to paste: \"-a-|\""))
  }
}

struct MarbleLayoutTests {
  private func rows(_ strings: String...) throws -> [String] {
    MarbleLayout(try strings.map { try MarbleString(parsing: $0) }).rows
  }

  @Test func aGroupAtTheEndOfARowTakesNoRoomInOthers() throws {
    #expect(
      try rows("-a-a-b--c-d|", "-a---(b|)", "-a---b--(c|)") == [
        "-a-a-b--c-d|",
        "-a---(b|)",
        "-a---b--(c|)",
      ])
    #expect(try rows("-(ab|)", "-(cde)--f") == ["-(ab|)", "-(cde)--f"])
  }

  @Test func anyOtherGroupMovesAllRows() throws {
    #expect(try rows("a-----d|", "(bc)--d|") == ["a-----d|", "(bc)--d|"])
    #expect(try rows("a-b---|", "(cd)--|") == ["a--- @2ms b---|", "(cd) @2ms ----|"])
  }

  @Test func drawsLongGapsAsDashesIfToldTo() throws {
    let marbles = try MarbleString(parsing: "-a 11ms b 13ms |")
    #expect(MarbleLayout([marbles], longestGap: 11).rows == ["-a-----------b 13ms |"])
    #expect(MarbleLayout([marbles], longestGap: 0).rows == ["1ms a 11ms b 13ms |"])
  }

  @Test func tellsTheColumnOfAnInstant() throws {
    let layout = MarbleLayout(
      try ["-(ab)--c", "-a----d|"].map { try MarbleString(parsing: $0) })
    #expect(layout.column(at: .milliseconds(1)) == 1)
    #expect(layout.column(at: .milliseconds(7)) == 7)
    #expect(layout.column(at: .milliseconds(2)) == nil)
  }

  /// Every row reads as the string that it draws, whatever stands in the others.
  @Test(arguments: 0..<300)
  func readsWhatItDraws(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let strings = (0..<3).map { _ in
      var time = VirtualTime.zero
      return MarbleString(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          time = time.advanced(by: .milliseconds(Int.random(in: 0...4, using: &random)))
          return .init(.value("abc12m".randomElement(using: &random)!), at: time)
        })
    }
    let rows = MarbleLayout(strings).rows
    #expect(try rows.map { try MarbleString(parsing: $0) } == strings, "\(rows)")
  }
}
