import Foundation
import Testing

/// The programs of the package above, over real HTTP.
@Suite(.serialized) struct ScenarioTests {
  private static let server = Result { try RunningServer() }

  /// In each part each subscriber sees the same things in the same order, and each request goes to
  /// the same place and ends alike, as in virtual time.
  @Test(arguments: scenarios)
  func sameThingsInTheSameOrder(_ scenario: String) throws {
    try expectSameThings(scenario)
  }

  /// With its flag too: a late answer wins, here as there.
  @Test func aLateAnswerWinsInTheSameOrder() throws {
    try expectSameThings("search-as-you-type", "--without-switch")
  }

  /// Whoever has asked before does not take the turn of a scenario.
  @Test func eachRunHasItsOwnTurns() throws {
    let lostOnce = try #require(URL(string: Self.server.get().base + "/quote/lost-once"))
    for _ in 0..<3 {
      _ = try? Data(contentsOf: lostOnce)
      try expectSameThings("retry-then-fallback")
    }
  }

  private func expectSameThings(_ scenario: String, _ flags: String...) throws {
    let virtual = try runScenario(scenario, flags + ["--trace"])
    #expect(virtual.status == 0)
    guard try runScenario(scenario, "--help").stdout.contains("--server URL") else {
      // It says on its page why not.
      let refusal = try runScenario(scenario, "--server", Self.server.get().base)
      #expect(refusal.status == 64)
      return
    }
    let real = try runScenario(
      scenario, flags + ["--trace", "--server", Self.server.get().base])
    #expect(real.status == 0)
    #expect(real.stderr == "")

    let expected = try RunHistory.parts(of: virtual.stdout)
    let parts = try RunHistory.parts(of: real.stdout)
    #expect(!expected.isEmpty)
    #expect(parts.map(\.title) == expected.map(\.title))
    for (part, expected) in zip(parts, expected) {
      #expect(
        part.printed(inTurns: races[scenario] ?? [])
          == expected.printed(inTurns: races[scenario] ?? []),
        "\(part.title)")
      #expect(part.requests == expected.requests, "\(part.title)")
    }
  }

  /// Had the manifest another form, none would be run.
  @Test func thereAreScenarios() { #expect(scenarios.contains("decode-user")) }

  // MARK: What can go wrong

  @Test func nobodyListens() throws {
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

  @Test func theServerIsUnavailable() throws {
    let base = try Self.server.get().base + "/unavailable"
    #expect(
      try runScenario("decode-user", "--server", base)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "decode-user: \(base) isn't the scenarios' server: it responded with "
            + "503 text/plain. Start the right one with: make server\n"))
  }

  @Test func somethingElseAnswers() throws {
    let base = try Self.server.get().base + "/html"
    #expect(
      try runScenario("decode-user", "--server", base)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "decode-user: \(base) isn't the scenarios' server: it responded with "
            + "200 text/html. Start the right one with: make server\n"))
  }

  /// The same programs, with all bodies in chunks.
  @Test(arguments: ["completion-handler", "decode-user", "assign-image"])
  func aBodyMayComeInChunks(_ scenario: String) throws {
    let base = try Self.server.get().base + "/chunked"
    let real = try runScenario(scenario, "--trace", "--server", base)
    #expect(real.status == 0)
    let parts = try RunHistory.parts(of: real.stdout)
    let expected = try RunHistory.parts(of: runScenario(scenario, "--trace").stdout)
    #expect(parts.map(\.title) == expected.map(\.title))
    for (part, expected) in zip(parts, expected) {
      #expect(part.printed(inTurns: []) == expected.printed(inTurns: []), "\(part.title)")
    }
  }

  /// Within a body: the run says so, and ends.
  @Test func theServerIsKilledMidway() throws {
    let server = try RunningServer()
    let program = try Program(
      scenarioProgram("streaming-delegate"), ["--server", server.base])
    while let line = program.nextLine(), !line.contains("progress: 14 of 25 bytes") {}
    server.program.kill()
    let result = try program.result()
    #expect(result.status == 1)
    // The system closes what a killed program had open: the end of a body that is not whole.
    #expect(result.stdout.contains("failed: URLError.unknown"))
    #expect(
      result.stderr.hasSuffix(
        ": can't reach \(server.base) (connection refused). "
          + "Is the server running? Start it with: make server\n"))
    #expect(result.stderr.split(separator: "\n").count == 1)
    // No further part has begun.
    #expect(result.stdout.split(separator: "\n").count { $0.hasPrefix("# ") } == 1)
  }
}

/// The scenarios, as the manifest of the package above lists them.
private let scenarios: [String] = {
  let manifest = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../Package.swift").standardized
  guard let text = try? String(contentsOf: manifest, encoding: .utf8),
    let start = text.range(of: "let scenarios = [\n"),
    let end = text.range(of: "\n]", range: start.upperBound..<text.endIndex)
  else { return [] }
  return text[start.upperBound..<end.lowerBound].split(separator: "\n")
    .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \",")) }
}()

/// Whose requests are on their way at the same time, so that only luck says who is first: for each
/// subscriber, how what it prints begins.
private let races: [String: [Set<String>]] = [
  "share-single-load": [["user", "completion 1"], ["status", "completion 2"]],
  "from-handler-to-publisher": [["first"], ["second"]],
]
