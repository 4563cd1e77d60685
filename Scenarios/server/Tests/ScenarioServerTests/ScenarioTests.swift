import Foundation
import ServerTestSupport
import Testing

/// Runs the scenarios of the main package against the server, over real HTTP.
@Suite(.serialized) struct ScenarioTests {
  private static let server = Result { try RunningServer() }

  /// In each part, each subscriber sees the same events in the same order as in virtual time. Each
  /// request goes to the same path and ends in the same way.
  @Test(arguments: scenarios)
  func printsTheSameAsInVirtualTime(_ scenario: String) throws {
    try expectSameEvents(scenario)
  }

  /// Without `switchToLatest`, a late response wins with the server too.
  @Test func printsTheSameAsInVirtualTimeWithItsFlag() throws {
    try expectSameEvents("search-as-you-type", "--without-switch")
  }

  /// Earlier requests to a path with several responses don't count for a new run.
  @Test func eachRunIsCountedOnItsOwn() throws {
    let lostOnce = try #require(URL(string: Self.server.get().base + "/quote/lost-once"))
    for _ in 0..<3 {
      _ = try? Data(contentsOf: lostOnce)
      try expectSameEvents("retry-then-fallback")
    }
  }

  private func expectSameEvents(_ scenario: String, _ flags: String...) throws {
    let virtual = try runScenario(scenario, flags + ["--trace"])
    #expect(virtual.status == 0)
    guard try runScenario(scenario, "--help").stdout.contains("--server URL") else {
      // Its page says why it can't use a server.
      let refusal = try runScenario(scenario, "--server", Self.server.get().base)
      #expect(refusal.status == 64)
      return
    }
    let expected = try RunHistory.parts(of: virtual.stdout)
    #expect(!expected.isEmpty)
    let unserved = unserved(expected.flatMap(\.sent))
    guard unserved.isEmpty else {
      Issue.record(
        """
        \(scenario) requests \(unserved.joined(separator: ", ")), which the server doesn't know. \
        Add it to ScriptedPaths.swift with the bytes of the scenario's stub, or pass \
        refusesServers: to Scenario. CONTRIBUTING.md, How to add a scenario, explains both.
        """)
      return
    }
    let real = try runScenario(
      scenario, flags + ["--trace", "--server", Self.server.get().base])
    #expect(real.status == 0)
    #expect(real.stderr == "")

    let parts = try RunHistory.parts(of: real.stdout)
    #expect(parts.map(\.title) == expected.map(\.title))
    for (part, expected) in zip(parts, expected) {
      let advice: Comment = """
        In the part "\(part.title)", \(scenario) doesn't print with the server what it prints with \
        its stubs. The server has one behaviour per path, so do parts stub the same URL in \
        different ways? Give each behaviour a URL of its own, and compare ScriptedPaths.swift with \
        the scenario's Server.swift. If requests race, add the part to `races` below.
        """
      let races = races[part.title] ?? races[scenario] ?? []
      #expect(part.printed(groupedBy: races) == expected.printed(groupedBy: races), advice)
      #expect(part.requests == expected.requests, advice)
    }
  }

  /// If the manifest had another form, no scenario would run.
  @Test func theManifestNamesScenarios() { #expect(scenarios.contains("decode-user")) }

  // MARK: Wrong servers

  @Test func reportsThatNoServerIsRunning() throws {
    let gone = try RunningServer()
    gone.program.kill()
    _ = try gone.program.result()
    #expect(
      try runScenario("decode-user", "--server", gone.base)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "decode-user: can't reach \(gone.base) (connection refused). "
            + "Is the server running? Start it with: make server\n"))
  }

  @Test func reportsAServerThatIsUnavailable() throws {
    let base = try Self.server.get().base + "/unavailable"
    #expect(
      try runScenario("decode-user", "--server", base)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "decode-user: \(base) isn't the scenarios' server: it responded with "
            + "503 text/plain. Start the right one with: make server\n"))
  }

  @Test func reportsAnotherWebServer() throws {
    let base = try Self.server.get().base + "/html"
    #expect(
      try runScenario("decode-user", "--server", base)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "decode-user: \(base) isn't the scenarios' server: it responded with "
            + "200 text/html. Start the right one with: make server\n"))
  }

  /// Runs scenarios with all bodies in chunks.
  @Test(arguments: ["completion-handler", "decode-user", "assign-image"])
  func printsTheSameIfBodiesComeInChunks(_ scenario: String) throws {
    let base = try Self.server.get().base + "/chunked"
    let real = try runScenario(scenario, "--trace", "--server", base)
    #expect(real.status == 0)
    let parts = try RunHistory.parts(of: real.stdout)
    let expected = try RunHistory.parts(of: runScenario(scenario, "--trace").stdout)
    #expect(parts.map(\.title) == expected.map(\.title))
    for (part, expected) in zip(parts, expected) {
      #expect(part.printed(groupedBy: []) == expected.printed(groupedBy: []), "\(part.title)")
    }
  }

  /// The server is killed in the middle of a body. The run reports it and ends.
  @Test func reportsThatTheServerHasGone() throws {
    let server = try RunningServer()
    let program = try Program(
      scenarioProgram("streaming-delegate"), ["--server", server.base])
    while let line = program.nextLine(), !line.contains("progress: 14 of 25 bytes") {}
    server.program.kill()
    let result = try program.result()
    #expect(result.status == 1)
    // The system closes the connections of a killed program, so the body ends too early.
    #expect(result.stdout.contains("failed: URLError.unknown"))
    // Until the system has closed its socket too, that can still accept the check's connection.
    let reasons = [
      "can't reach \(server.base) (connection refused). Is the server running? "
        + "Start it with: make server",
      "\(server.base) doesn't respond in HTTP (URLError.unknown). Is the port right?",
    ]
    #expect(reasons.contains { result.stderr.hasSuffix(": \($0)\n") }, "\(result.stderr)")
    #expect(result.stderr.split(separator: "\n").count == 1)
    // No further part has begun.
    #expect(result.stdout.split(separator: "\n").count { $0.hasPrefix("# ") } == 1)
  }
}

/// Scenarios and parts with requests that race, so that the order of their responses is a matter of
/// luck, or of the server's delays. For each subscriber or request: the beginnings of the lines it
/// prints.
private let races: [String: [Set<String>]] = [
  "Both responses at one instant": [
    ["search"], [#"on screen: ["sway""#], [#"on screen: ["swift""#],
  ],
  "share-single-load": [["user", "completion 1"], ["status", "completion 2"]],
  "from-handler-to-publisher": [["first"], ["second"]],
]
