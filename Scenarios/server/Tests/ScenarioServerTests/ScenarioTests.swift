import Foundation
import Testing
import TodoAPI

@testable import scenario_server

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
    guard try runScenario(scenario, ["--help"]).stdout.contains("--server URL") else {
      // Its page says why it can't use a server.
      let refusal = try runScenario(scenario, ["--server", Self.server.get().base])
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

  @Test func namesTheRequestsThatTheServerDoesNotKnow() {
    let known = [
      "GET /quote", "HEAD /quote", "GET /status?now", "GET /search?q=sw", "POST /users",
      "POST /login?expiresIn=1", "GET /todos", "DELETE /todos/N", "GET /out-of-order",
    ]
    let unknown = [
      "GET /hello", "POST /quote", "GET /search", "GET /users", "PUT /todos", "GET", "",
    ]
    #expect(unserved(known + unknown) == unknown)
  }

  @Test func reportsThatNoServerIsRunning() throws {
    let gone = try RunningServer()
    _ = try gone.kill()
    let result = try runScenario("decode-user", ["--server", gone.base])
    #expect(result.status == 1)
    #expect(result.stdout == "")
    #expect(result.stderr.contains(gone.base) && result.stderr.hasSuffix("make server\n"))
    #expect(result.stderr.split(separator: "\n").count == 1)
  }

  /// Runs scenarios with all bodies in chunks.
  @Test(arguments: ["completion-handler", "decode-user", "assign-image"])
  func printsTheSameIfBodiesComeInChunks(_ scenario: String) throws {
    let base = try Self.server.get().base + "/chunked"
    let real = try runScenario(scenario, ["--trace", "--server", base])
    #expect(real.status == 0)
    let parts = try RunHistory.parts(of: real.stdout)
    let expected = try RunHistory.parts(of: runScenario(scenario, ["--trace"]).stdout)
    #expect(parts.map(\.title) == expected.map(\.title))
    for (part, expected) in zip(parts, expected) {
      #expect(part.printed(groupedBy: []) == expected.printed(groupedBy: []), "\(part.title)")
    }
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

/// The requests that the server can't know: they're neither in the script nor in the API.
///
/// - Parameter requests: Each with its method, path and query, such as `GET /search?q=sw`.
private func unserved(_ requests: [String]) -> [String] {
  let api = TodoAPI.model { 0 }
  // The API's reply to a path that it doesn't have.
  let unknown = api.reply(to: TodoRequest(method: "GET", path: "/no-such-path"))
  return requests.filter { request in
    let words = request.split(separator: " ").map(String.init)
    guard words.count == 2 else { return true }
    let path = String(words[1].prefix { $0 != "?" })
    let isInScript = scriptedPaths[words[1]] != nil || scriptedPaths[path] != nil
    if isInScript && ["GET", "HEAD"].contains(words[0]) { return false }
    let reply = api.reply(to: TodoRequest(method: words[0], path: path))
    return reply == unknown || reply.status == 405
  }
}

/// The scenarios that the main package's manifest lists.
private let scenarios: [String] = {
  let manifest = try? String(contentsOf: repositoryFile("Package.swift"), encoding: .utf8)
  guard let text = manifest, let start = text.range(of: "let scenarios = [\n"),
    let end = text.range(of: "\n]", range: start.upperBound..<text.endIndex)
  else { return [] }
  return text[start.upperBound..<end.lowerBound].split(separator: "\n")
    .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \",")) }
}()
