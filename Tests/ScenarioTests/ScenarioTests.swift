import Foundation
import TestSupport
import Testing

/// Each scenario's program prints exactly what its snapshots hold, in each of its formats.
@Suite struct ScenarioTests {
  /// The formats that each scenario has a snapshot of, and the arguments that ask for them.
  static let formats: [(kind: SnapshotKind, arguments: [String])] = [
    (.transcript, []), (.marble, ["--marbles"]), (.trace, ["--trace"]),
    (.outcomes, ["--explore"]), (.faults, ["--faults"]), (.sweep, ["--sweep"]),
  ]

  @Test(arguments: try Catalogue.tested())
  func theOutputInEachFormatIsItsSnapshot(scenario: String) async throws {
    for format in Self.formats {
      try await expectOutput(of: scenario, format.arguments, format.kind)
    }
  }

  @Test(arguments: try Catalogue.tested().filter { Catalogue.flags[$0] != nil })
  func theOutputWithAFlagIsItsSnapshot(scenario: String) async throws {
    let flag = try #require(Catalogue.flags[scenario])
    let formats: [([String], SnapshotKind)] = [
      ([], .variant), (["--marbles"], .variantMarble), (["--trace"], .variantTrace),
      (["--explore"], .variantOutcomes), (["--sweep"], .variantSweep),
      (["--sweep", "--only", "responses"], .variantResponses),
    ]
    for (format, kind) in formats {
      try await expectOutput(of: scenario, [flag] + format, kind)
    }
  }

  private func expectOutput(
    of scenario: String, _ arguments: [String], _ kind: SnapshotKind
  ) async throws {
    let result = try await Runs.result(of: scenario, arguments)
    #expect(result.status == 0)
    #expect(result.stderr == "")
    expectSnapshot(result.stdout, id: scenario, kind: kind)
  }

  /// The commands of one scenario only, which pages show.
  @Test(arguments: try Catalogue.tested())
  func theOutputThatAPageShowsIsItsSnapshot(scenario: String) async throws {
    let commands: [([String]?, SnapshotKind)] = [
      (Catalogue.explained[scenario], .why), (Catalogue.shownMoments[scenario], .state),
      (Catalogue.shownSweeps[scenario], Catalogue.kindOfSweep(of: scenario)),
      (Catalogue.shownLastingFaults[scenario], .lasting),
      (Catalogue.otherOrders[scenario].map { $0 + ["--trace"] }, .otherTrace),
    ]
    for case (let arguments?, let kind) in commands {
      try await expectOutput(of: scenario, arguments, kind)
    }
  }

  /// Pages show what times lead to. They're drawn from snapshots, and a program draws the same.
  @Test(arguments: try Catalogue.tested())
  func aPictureOfTimesIsWhatTheProgramDraws(scenario: String) async throws {
    let folder = Catalogue.root.appendingPathComponent("docs/pictures/\(scenario)")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let titles = try await Runs.result(of: scenario, "--parts").stdout.split(separator: "\n")
    for file in files where file.hasSuffix("-times.svg") {
      let part = titles.firstIndex { title in
        let words = title.dropFirst(3).lowercased().filter { !"'’".contains($0) }
          .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.joined(separator: "-") + "-times.svg" == file
      }
      let number = try #require(part, "\(file) belongs to no part")
      let result = try await Runs.result(
        of: scenario, ["--sweep", "--svg", "--part", "\(number + 1)"])
      let picture = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      expectSameResult(result, as: ExecutableResult(status: 0, stdout: picture, stderr: ""))
    }
  }

  /// `--explore` prints the commands of other orders, and each leads to an outcome of its own. No
  /// scenario has another order that the catalogue doesn't name.
  @Test(arguments: try Catalogue.tested())
  func eachOrderThatIsFoundIsKnown(scenario: String) async throws {
    let flags = [[]] + (Catalogue.flags[scenario].map { [[$0]] } ?? [])
    var found: [[String]] = []
    for flag in flags {
      let result = try await Runs.result(of: scenario, flag + ["--explore"])
      let command = "   $ swift run \(scenario) "
      for line in result.stdout.split(separator: "\n") where line.hasPrefix(command) {
        found.append(line.dropFirst(command.count).split(separator: " ").map(String.init))
      }
    }
    let known = Catalogue.otherOrders[scenario]
    #expect(found.isEmpty == (known == nil))
    if let known { #expect(found.contains(known)) }
    for arguments in found {
      let other = try await Runs.result(of: scenario, arguments)
      let usual = try await Runs.result(of: scenario, arguments.dropLast(2))
      #expect(other.status == 0 && other.stderr == "" && other.stdout != usual.stdout)
    }
  }

  /// The list of options is the same everywhere, so one snapshot has all of it. These are the lines
  /// around it.
  @Test(arguments: try Catalogue.tested())
  func theHelpHasTheScenariosOwnWords(scenario: String) async throws {
    let heading = try await Runs.result(of: scenario).stdout.prefix { $0 != "\n" }
    let result = try await Runs.result(of: scenario, "--help")
    let blocks = result.stdout.components(separatedBy: "\n\n")
    try #require(blocks.count == 4)
    let takesServer = blocks[2].contains("\n  --server URL ")
    expectSameResult(
      ExecutableResult(
        status: result.status, stdout: [blocks[0], blocks[1], blocks[3]].joined(separator: "\n\n"),
        stderr: result.stderr),
      as: ExecutableResult(
        status: 0,
        stdout: """
          \(heading.dropFirst("\(scenario): ".count))

          usage: \(scenario) [OPTION ...]

          \(takesServer ? "Without a server, every" : "Every") run prints the same output.
          Learn more: docs/scenarios/\(scenario).md

          """,
        stderr: ""))
    let names = blocks[2].split(separator: "\n").filter { $0.hasPrefix("  --") }
      .map { $0.dropFirst(2).prefix { $0 != " " } }
    let server: [Substring] = takesServer ? ["--server", "--time-limit"] : []
    let flag = Catalogue.flags[scenario].map { [Substring($0)] } ?? []
    #expect(names.drop { $0 != "--real-time" }.dropFirst() == (server + flag + ["--help"])[...])
  }

  /// In real time, everything happens in the same order, at the same virtual times. This runs the
  /// first part only, because real time is long. `Tests/release-check.sh` runs all parts.
  @Test(arguments: try Catalogue.tested())
  func aPartInRealTimeHasTheSameTrace(scenario: String) async throws {
    expectSameResult(
      try await runExecutable(scenario, arguments: ["--real-time", "--trace", "--part", "1"]),
      as: try await Runs.result(of: scenario, "--trace", "--part", "1"))
  }

  /// Every event names the one that led to it, except what the scenario's own code does: it
  /// subscribes, cancels, prints, starts a task, sends to a subject, or asks for values in a
  /// subscriber of its own.
  @Test(arguments: try Catalogue.tested())
  func everyEventHasItsCause(scenario: String) async throws {
    let trace = try await Runs.result(of: scenario, "--trace").stdout
    let lines = try trace.split(separator: "\n").filter { !$0.hasPrefix("{\"wait\"") }.map {
      try JSONDecoder().decode(TraceLine.self, from: Data($0.utf8))
    }
    // Each part counts its events from 1.
    let parts = lines.split { $0.part != nil }.map { $0.compactMap(\.event) }
    let unexplained = parts.flatMap {
      Self.unexplained($0, mayAsk: Catalogue.asking.contains(scenario))
    }
    #expect(
      unexplained.isEmpty,
      """
      These events have no cause, or one that isn't in front of them: \
      \(unexplained.joined(separator: ", ")).
      Only subscriptions, cancellations, printed lines, and values and ends of a subject may have \
      none. If they come from a subject, give it a lane of its own, in front of the first operator: \
      subject.lane("typed"). If a subscriber of the scenario asks for values, see Catalogue.asking.
      """)
  }

  /// The events of a part that have no cause and need one, or whose cause comes later.
  private static func unexplained(_ events: [TraceEvent], mayAsk: Bool) -> [String] {
    // A lane may be that of a subject if no other lane handed it its subscription, if it makes no
    // requests, and if nothing led to its values and ends. Only the first value of a subscription
    // may follow from its demand: a subject with a current value delivers that when it's asked.
    let all = Dictionary(events.map { ($0.number, $0) }) { first, _ in first }
    func cause(_ event: TraceEvent) -> TraceEvent? { event.cause.flatMap { all[$0] } }
    let sent = ["value", "finished", "failure"]
    let first = events.filter { $0.event == "subscription" && cause($0)?.event != "subscription" }
    let requesting = events.filter { $0.event == "request-started" }.compactMap(cause)
    let firstSent = Dictionary(
      events.filter { sent.contains($0.event) }.map {
        ("\($0.lane) \($0.subscription ?? 0)", $0.number)
      }
    ) { first, _ in first }
    let led = events.filter {
      sent.contains($0.event) && $0.cause != nil
        && !(cause($0)?.event == "request" && firstSent.values.contains($0.number))
    }
    let subjects = Set(first.map(\.lane)).subtracting((requesting + led).map(\.lane))
    return events.filter { event in
      if event.cause != nil { return cause(event).map { $0.number >= event.number } ?? true }
      return switch event.event {
      case "subscription", "cancelled", "printed", "request-started": false
      case "value", "finished", "failure": !subjects.contains(event.lane)
      case "request": !mayAsk
      default: true
      }
    }.map { "\($0.number) (\($0.event) in \($0.lane))" }
  }

  private struct TraceEvent: Decodable {
    let number: Int
    let lane: String
    let event: String
    let cause: Int?
    let subscription: Int?
  }

  /// A line of a trace: the heading of a part, or an event.
  private struct TraceLine: Decodable {
    let part: String?
    let event: TraceEvent?

    private enum Key: CodingKey {
      case part
    }

    init(from decoder: any Decoder) throws {
      part = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .part)
      event = part == nil ? try TraceEvent(from: decoder) : nil
    }
  }

  /// `--part` shows one part exactly as the whole output does.
  @Test(arguments: try Catalogue.tested())
  func aPartIsAPieceOfTheWhole(scenario: String) async throws {
    let whole = try await Runs.result(of: scenario, "--trace").stdout
    let count = whole.components(separatedBy: #"{"part":"#).count - 1
    let list = try await Runs.result(of: scenario, "--parts").stdout
    #expect(list.split(separator: "\n").count == count)
    var pieces = ""
    for part in 1...count {
      let result = try await Runs.result(of: scenario, "--trace", "--part", "\(part)")
      #expect(result.status == 0)
      pieces += result.stdout
    }
    #expect(pieces == whole)
    // A marble diagram also with its letters.
    let marbles = try await Runs.result(of: scenario, "--marbles").stdout
    let last = try await Runs.result(of: scenario, "--marbles", "--part", "\(count)")
    let blocks = last.stdout.components(separatedBy: "\n\n").dropFirst().dropLast()
    #expect(!blocks.isEmpty && marbles.contains(blocks.joined(separator: "\n\n")))
  }
}

/// All scenarios have the same command line, so one of them is enough here.
@Suite struct SharedCommandLineTests {
  @Test func theHelpIsItsSnapshot() async throws {
    let help = try await Runs.result(of: "decode-user", "--help").stdout
    expectSnapshot(help, id: "decode-user", kind: .help)
  }

  @Test func refusesAnUnknownArgument() async throws {
    expectSameResult(
      try await runExecutable("decode-user", arguments: ["--marble"]),
      as: ExecutableResult(
        status: 64, stdout: "",
        stderr: "decode-user: unknown argument \"--marble\". Did you mean --marbles? To see all "
          + "options, use --help\n"))
  }

  /// The second request exists only because the first one fails.
  @Test func aMoveCanNeedAFault() async throws {
    let fault = ["--part", "1", "--fault", "request 1 is refused"]
    let result = try await runExecutable(
      "retry-then-fallback", arguments: fault + ["--move", "GET /quote #2 to 150ms"])
    #expect(result.status == 0)
    #expect(result.stderr == "")
    #expect(result.stdout.contains("150ms  request 2  200 OK"))
  }

  /// The address belongs to the second part. The first one, which runs before, doesn't have it.
  @Test func aSweepMovesThingsOfItsPartOnly() async throws {
    let result = try await runExecutable(
      "retry-then-fallback",
      arguments: ["--part", "2", "--sweep", "--move", "GET /quote/lost-once to 20ms"])
    #expect(result.status == 0)
    #expect(result.stderr == "")
    #expect(result.stdout.contains("time-independent: 1 thing moved"))
  }

  @Test(arguments: [
    (
      ["retry-then-fallback", "--part", "1"],
      "every time leads to the same outcome: leave out --svg"
    ),
    (
      ["search-as-you-type", "--part", "1"],
      "21 outcomes are more than a picture can tell apart: add --only and one thing, or --only "
        + "responses"
    ),
  ])
  func aSweepWithoutAPictureSaysWhy(arguments: [String], reason: String) async throws {
    expectSameResult(
      try await runExecutable(
        arguments[0], arguments: arguments.dropFirst() + ["--sweep", "--svg"]),
      as: ExecutableResult(status: 1, stdout: "", stderr: "\(arguments[0]): \(reason)\n"))
  }

  @Test(arguments: [
    (["first-stream", "--part", "1"], "this decides no times"),
    (
      ["throttle-or-debounce", "--part", "2", "--only", "responses"],
      "this decides 7 times of another kind"
    ),
    (["decode-user", "--part", "1", "--only", "inputs"], "this decides 1 time of another kind"),
  ])
  func aSweepThatMovesNothingSaysWhy(arguments: [String], reason: String) async throws {
    let (scenario, options) = (arguments[0], arguments.dropFirst() + ["--sweep"])
    let text = try await runExecutable(scenario, arguments: Array(options))
    #expect(text.status == 0 && text.stdout.hasSuffix("\nnothing was moved: \(reason)\n"))
    expectSameResult(
      try await runExecutable(scenario, arguments: options + ["--svg"]),
      as: ExecutableResult(
        status: 1, stdout: "", stderr: "\(scenario): nothing was moved: \(reason)\n"))
  }

  @Test func onlyInputsAreMovedIfAsked() async throws {
    let result = try await runExecutable(
      "search-as-you-type", arguments: ["--part", "1", "--sweep", "--only", "inputs"])
    #expect(result.status == 0)
    #expect(result.stdout.contains("\n6 things moved up to "))
    #expect(result.stdout.contains("\naction 2: typed sw (main.swift:61), usually at 100ms\n"))
    #expect(!result.stdout.contains(", usually at 1900ms"))
  }

  /// In real time, lines are written one by one, in columns of fixed widths.
  @Test func aRunInRealTimePrintsTheSameWords() async throws {
    func words(_ arguments: [String]) async throws -> [[Substring]] {
      try await runExecutable("decode-user", arguments: arguments).stdout
        .split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.split(separator: " ") }
    }
    #expect(try await words(["--real-time"]) == words([]))
  }

  @Test func refusesTwoFormatsAtOnce() async throws {
    expectSameResult(
      try await runExecutable("decode-user", arguments: ["--marbles", "--trace"]),
      as: ExecutableResult(
        status: 64, stdout: "",
        stderr: "decode-user: --marbles and --trace can't be combined. Use only one of them\n"))
  }

  @Test func reportsThatItCannotWrite() async throws {
    let shell = URL(fileURLWithPath: "/bin/sh")
    let program = builtProduct("decode-user").path
    expectSameResult(
      try await run(shell, arguments: ["-c", "'\(program)' > /dev/full"]),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "decode-user: can't write the output: No space left on device\n"))
  }
}

/// Each scenario has its folder, program, snapshots and page.
@Suite struct CompletenessTests {
  @Test func everySnapshotHasAScenarioAndEveryScenarioItsSnapshots() {
    expectSnapshotFiles(
      of: Catalogue.scenarios.map { scenario in
        let variants: [SnapshotKind] =
          Catalogue.flags[scenario] == nil
          ? []
          : [
            .variant, .variantMarble, .variantTrace, .variantOutcomes, .variantSweep,
            .variantResponses,
          ]
        let why: [SnapshotKind] = Catalogue.explained[scenario] == nil ? [] : [.why]
        let other: [SnapshotKind] = Catalogue.otherOrders[scenario] == nil ? [] : [.otherTrace]
        let state: [SnapshotKind] = Catalogue.shownMoments[scenario] == nil ? [] : [.state]
        let sweep: [SnapshotKind] =
          Catalogue.shownSweeps[scenario] == nil ? [] : [Catalogue.kindOfSweep(of: scenario)]
        let lasting: [SnapshotKind] =
          Catalogue.shownLastingFaults[scenario] == nil ? [] : [.lasting]
        return (
          scenario,
          ScenarioTests.formats.map(\.kind) + variants + why + state + sweep + lasting + other
            + (scenario == "decode-user" ? [.help] : [])
        )
      })
  }

  @Test func theManifestNamesEveryFolder() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Catalogue.root.appendingPathComponent("Scenarios").path)
    // The server, the exercises and the stage are packages of their own, and the server shares an
    // API with a scenario. The playground is a reader's own.
    #expect(
      Set(folders).subtracting(["playground"])
        == Set(Catalogue.scenarios + ["exercises", "list.sh", "play", "server", "todo-api"]))
  }

  @Test(arguments: try Catalogue.tested())
  func everyScenarioHasAPage(scenario: String) {
    let page = Catalogue.root.appendingPathComponent("docs/scenarios/\(scenario).md")
    #expect(FileManager.default.fileExists(atPath: page.path))
  }
}

/// Which scenarios the tests above run.
@Suite struct CatalogueTests {
  @Test(arguments: [nil, ""]) func allScenariosAreTestedByDefault(name: String?) throws {
    var environment: [String: String] = [:]
    environment["TEST_SCENARIO"] = name
    #expect(try Catalogue.tested(environment: environment) == Catalogue.scenarios)
    #expect(Catalogue.scenarios.contains("decode-user"))
  }

  @Test func oneScenarioIsTestedAlone() throws {
    #expect(try Catalogue.tested(environment: ["TEST_SCENARIO": "todo-client"]) == ["todo-client"])
  }

  @Test func anUnknownScenarioIsAnError() {
    let error = #expect(throws: Catalogue.UnknownScenario.self) {
      try Catalogue.tested(environment: ["TEST_SCENARIO": "decode"])
    }
    let message = error?.description ?? ""
    #expect(message.hasPrefix("TEST_SCENARIO is 'decode', expected one of: first-stream "))
  }
}
