import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

/// What a program writes to a terminal. In a pipe, it writes neither colours nor folded lines,
/// which the snapshots of all scenarios hold.
@Suite struct TerminalTests {
  /// Runs the template, or another scenario, with a terminal as its standard output and, if keys
  /// are pressed, as its standard input.
  ///
  /// - Returns: All that it wrote.
  private func run(
    _ scenario: String = "new-scenario", columns: UInt16, _ arguments: [String],
    environment: [String: String] = [:], keys: String? = nil
  ) async throws -> String {
    let terminal = try PseudoTerminal(columns: columns)
    let path = terminal.path
    if let keys { terminal.type(keys) }
    let input = keys == nil ? "" : "<'\(path)'"
    // The shell has the terminal as its output, and its errors go to the test.
    let variables = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let program = builtProduct(scenario).path
    let result = try await TestSupport.run(
      URL(fileURLWithPath: "/bin/sh"),
      arguments: [
        "-c",
        "TERM=xterm NO_COLOR= \(variables) '\(program)' \(arguments.joined(separator: " ")) \(input) >'\(path)'",
      ])
    #expect(result.stderr == "")
    return try terminal.readRest()
  }

  private func plain(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

  /// The lines that aren't empty, with colours in angle brackets.
  private func lines(_ text: String) -> [String] {
    text.replacing("\u{1B}[", with: "<").replacing(/(<[0-9;]+)m/) { "\($0.output.1)>" }
      .split(separator: "\n").map(String.init)
  }

  @Test func aTranscriptHasColours() async throws {
    #expect(
      lines(try await run(columns: 80, ["--part", "1"])) == [
        "new-scenario: Load a quote, and see what the subscriber receives.",
        "<1># The quote arrives<0>",
        "<2>  0ms<0>  request 1  <32>GET https://api.example.com/quote<0>",
        "<2>100ms<0>  request 1  <36>200 OK<0>", "<2>100ms<0>  request 1  <36>23 bytes<0>",
        "<2>100ms<0>  request 1  <1;34>finished<0>",
        "<2>100ms<0>  console    quote: Begin at the beginning.",
        "<2>100ms<0>  console    completion: finished",
      ])
  }

  @Test func anExplanationHasColours() async throws {
    #expect(
      lines(try await run(columns: 100, ["--why", "networkConnectionLost"])) == [
        "<1>Event 8 of “The connection fails”: map fails: networkConnectionLost.<0>",
        "1-4  <2> 0ms<0>  data task and map<32> get subscribers.<0>       <2>main.swift:13-15<0>",
        "  5  <2> 0ms<0>  request 1<32> is made: GET https://api.example.com/quote/lost<0>",
        "  6  <2>60ms<0>  request 1<31> fails: networkConnectionLost.<0>",
        "  7  <2>60ms<0>  data task<31> fails: networkConnectionLost.<0>  <2>main.swift:13<0>",
        "  8  <2>60ms<0>  map<31> fails: networkConnectionLost.<0>        <2>main.swift:15<0>",
      ])
  }

  @Test func aMomentHasColours() async throws {
    #expect(
      lines(try await run(columns: 100, ["--until", "50ms"])) == [
        "new-scenario: Load a quote, and see what the subscriber receives.",
        "<1># The quote arrives<0>",
        "<2>50ms<0>, after event 5 at 0ms: request 1 is made: GET https://api.example.com/quote",
        "<1>waiting on the clock<0>",
        "  <2>100ms<0>  in 50ms  request 1 goes on",
        "<1>values kept by operators<0>: nothing",
        "<1>requests in flight<0>",
        "  request 1  <32>GET https://api.example.com/quote<0>  sent, since 0ms",
        "<1>values asked for<0>",
        "  data task  unlimited  0 delivered",
        "  map        unlimited  0 delivered",
      ])
  }

  /// Each line fits, and the command can be pasted.
  @Test func outcomesHaveColoursAndFitTheTerminal() async throws {
    #expect(
      lines(try await run("many-orders", columns: 46, ["--explore", "--part", "2"])) == [
        "many-orders: Load two letters at one instant.",
        "<1># Two letters again<0>",
        "5 choices, 6 runs with up to one departure,",
        "and 2 outcomes",
        "<1>1. the usual order (3 runs)<0>",
        "   a",
        "   b",
        "   requests:",
        "     GET https://example.com/a",
        "     GET https://example.com/b",
        "<1>2. 100ms: request 2 before request 1 (3 runs)<0>",
        "   $ swift run many-orders --part 2 --replay \\",
        "       100ms:1",
        "<31> - a<0>",
        "   b",
        "<32> + a<0>",
        "   requests:",
        "<2>   … 2 lines as in the first outcome<0>",
      ])
    #expect(
      lines(try await run("many-orders", columns: 60, ["--faults", "--part", "1"])).prefix(15) == [
        "many-orders: Load two letters at one instant.",
        "<1># Two letters<0>",
        "26 faults lead to 10 outcomes",
        "<1>without a fault<0>",
        "<1>request 1 gets a 401, 403, 404, 429, 500, 503<0>",
        "<1>request 2 gets a 401, 403, 404, 429, 500, 503,<0>",
        "<1>  is twice as late, is 10 times as slow<0>",
        "   a",
        "   b",
        "   requests:",
        "     GET https://example.com/a",
        "     GET https://example.com/b",
        "<1>request 1 is refused, meets a captive portal<0>",
        "<31> - a<0>",
        "<32> + ?<0>",
      ])
  }

  /// A pipe has none, and a terminal has the same text apart from them.
  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], [:]])
  func noColoursAreUsedIfTheyAreUnwanted(_ environment: [String: String]) async throws {
    for arguments in [
      [], ["--marbles"], ["--why", "quote:"], ["--until", "50ms"], ["--explore"], ["--faults"],
    ] {
      let text = try await run(columns: 200, arguments.map { "'\($0)'" }, environment: environment)
      let inPipe = try await runExecutable("new-scenario", arguments: arguments)
      #expect(!inPipe.stdout.contains("\u{1B}"))
      #expect((environment.isEmpty ? plain(text) : text) == inPipe.stdout)
      #expect(text.contains("\u{1B}[") == environment.isEmpty)
    }
  }

  @Test(
    arguments: [60, 80],
    [["--why", "networkConnectionLost"], ["--why", "100ms"], ["--until", "50ms"], ["--faults"]])
  func noLineIsWiderThanTheTerminal(columns: UInt16, arguments: [String]) async throws {
    let lines = plain(try await run(columns: columns, arguments)).split(separator: "\n")
    #expect(lines.filter { $0.count > columns } == [])
    #expect(lines.count > 4)
  }

  @Test func anErrorFitsTheTerminal() async throws {
    try await onThread {
      let terminal = try PseudoTerminal(columns: 50)
      let process = try terminal.start("new-scenario", ["--marble"])
      #expect(PseudoTerminal.wait(for: process) == .exit(64))
      #expect(
        try terminal.readRest() == """
          \r\u{1B}[Knew-scenario: unknown argument "--marble". Did you
          mean --marbles? To see all options, use --help

          """)
    }
  }

  @Test func marblesFoldAtTheWidthOfTheTerminal() async throws {
    let wide = try await run(columns: 200, ["--marbles"])
    let inPipe = try await runExecutable("new-scenario", arguments: ["--marbles"])
    #expect(wide != inPipe.stdout)
    #expect(plain(wide) == inPipe.stdout)
    let narrow = plain(try await run(columns: 26, ["--marbles"]))
    let rows = narrow.split(separator: "\n").filter { $0.hasPrefix("request") }
    #expect(rows.count > 2)
    #expect(rows.allSatisfy { $0.count <= 26 })
  }

  /// Two steps on, one back, and a key that means nothing.
  @Test func keysStepThroughTheMarbles() async throws {
    let text = try await run(
      columns: 80, ["--play", "--part", "1"], keys: "\u{1B}[C\u{1B}[Cx\u{1B}[Dq")
    let frames = text.split(separator: "\u{1B}[H\u{1B}[2J").dropFirst().map { plain(String($0)) }
    let moments = frames.map { $0.split(separator: "\n").last?.prefix(13) }
    // There are two: the second step goes no further.
    #expect(moments == ["moment 1 of 2", "moment 2 of 2", "moment 2 of 2", "moment 1 of 2"])
    #expect(frames[0].contains("0ms: request 1 is made: GET https://api.example.com/quote"))
    #expect(!frames[0].contains("100ms"))
    #expect(frames[1].contains("100ms: console prints: quote: Begin at the beginning."))
    // The screen of before comes back, with its cursor.
    #expect(text.hasSuffix("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test func withoutATerminalThereIsNothingToPlayOn() async throws {
    let result = try await runExecutable("new-scenario", arguments: ["--play"])
    #expect(result.status == 64)
    #expect(
      result.stderr
        == "new-scenario: --play needs a terminal: in a pipe or a file, use --marbles\n")
    #expect(result.stdout == "")
  }

  @Test func helpFoldsAtTheWidthOfTheTerminal() async throws {
    let help = try await run(columns: 60, ["--help"])
    let table = help.split(separator: "\n").drop { !$0.contains("(no options)") }
      .prefix { $0.hasPrefix("  ") }
    #expect(table.allSatisfy { $0.count <= 60 })
    #expect(
      table.first { $0.contains("--marbles") }?.split(separator: " ").first == "--marbles")
    #expect(table.count > 12)
  }

  @Test func thePartsAreListed() async throws {
    let result = try await runExecutable("new-scenario", arguments: ["--parts"])
    expectSameResult(
      result,
      as: ExecutableResult(
        status: 0, stdout: "1  The quote arrives\n2  The connection fails\n", stderr: ""))
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abc", 0), ("abc", "acb", 1),
    ("--svg", "--svgg", 1), ("--svg", "-svg", 1), ("kitten", "sitting", 3),
    ("kitten", "mittens!!", nil), ("abcd", "", nil), ("", "abcdefgh", nil),
  ])
  func theDistanceOfTwoTextsCountsChanges(_ from: String, _ to: String, _ distance: Int?) {
    #expect(from.distance(to: to, atMost: 3) == distance)
    #expect(to.distance(to: from, atMost: 3) == distance)
  }
}
