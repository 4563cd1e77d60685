import Foundation
import TestSupport
import Testing

/// A program with `--server`, from its command line to its exit status. The template stands for all
/// scenarios: it makes one request for `/quote` and one for `/quote/lost`.
@Suite struct LiveRunTests {
  /// Runs the template, and hides the server's URL and all times.
  private func run(
    _ server: LoopbackServer, _ arguments: String...
  ) async throws -> ExecutableResult {
    // The machine may be busy.
    let limit = arguments.contains("--time-limit") ? [] : ["--time-limit", "600"]
    let result = try await runExecutable(
      "new-scenario", arguments: ["--server", server.url] + limit + arguments)
    return ExecutableResult(
      status: result.status,
      stdout: result.stdout.replacing(server.url, with: "SERVER")
        .replacing(/(?m)^ *\d+ms +(request \d|console) +/) { "\($0.output.1): " },
      stderr: result.stderr.replacing(server.url, with: "SERVER")
        .replacing(/limit of \d+ s/, with: "limit of N s"))
  }

  /// The result of both parts, if both get the same lines.
  private func success(_ lines: String...) -> ExecutableResult {
    let parts = [("The quote arrives", "/quote"), ("The connection fails", "/quote/lost")]
    return ExecutableResult(
      status: 0,
      stdout: "new-scenario: Load a quote, and see what the subscriber receives.\n"
        + parts.map { title, path in
          (["\n# \(title)", "request 1: GET SERVER\(path)"] + lines).map { "\($0)\n" }.joined()
        }.joined(),
      stderr: "")
  }

  private func failure(_ problem: String) -> ExecutableResult {
    ExecutableResult(status: 1, stdout: "", stderr: "new-scenario: \(problem)\n")
  }

  @Test func aResponseArrives() async throws {
    let server = try LoopbackServer.behindIdentity(.send(LoopbackServer.response("hello")))
    expectSameResult(
      try await run(server),
      as: success(
        "request 1: 200 OK", "request 1: 5 bytes", "request 1: finished", "console: quote: hello",
        "console: completion: finished"))
    #expect(server.requestedTargets == ["/", "/quote", "/quote/lost"])
  }

  private static let endlessBody = LoopbackServer.Reaction.sendForever(
    head: Data("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".utf8),
    chunk: Data(count: 1 << 20))

  @Test(
    arguments: [
      (.reset, "networkConnectionLost"), (.send(Data()), "badServerResponse"),
      (.send(LoopbackServer.response("moved", status: "302 Found")), "badServerResponse"),
      (
        .send(LoopbackServer.response("", status: "302 Found\r\nLocation: /loop")),
        "httpTooManyRedirects"
      ), (endlessBody, "dataLengthExceedsMaximum"),
    ] as [(LoopbackServer.Reaction, String)])
  func aRequestFails(_ reaction: LoopbackServer.Reaction, code: String) async throws {
    expectSameResult(
      try await run(try LoopbackServer.behindIdentity(reaction)),
      as: success(
        "request 1: failed: \(code)", "console: completion: failure(URLError.\(code))"))
  }

  /// In a plain session on Linux, such a request never ends.
  @Test(arguments: ["Basic realm=\"all\"", "Digest realm=\"all\", nonce=\"1\""])
  func aRequestForCredentialsIsAnOrdinaryResponse(challenge: String) async throws {
    let response = LoopbackServer.response(
      "no", status: "401 Unauthorized\r\nWWW-Authenticate: \(challenge)")
    expectSameResult(
      try await run(try LoopbackServer.behindIdentity(.send(response))),
      as: success(
        "request 1: 401 Unauthorized", "request 1: 2 bytes", "request 1: finished",
        "console: quote: no", "console: completion: finished"))
  }

  /// The text may come from a server that wants to write to the reader's terminal.
  @Test func controlCharactersAreEscaped() async throws {
    let red = LoopbackServer.response("\u{1B}[31mred\u{9B}0m\u{8}\u{202E}")
    expectSameResult(
      try await run(try LoopbackServer.behindIdentity(.send(red))),
      as: success(
        "request 1: 200 OK", "request 1: 16 bytes", "request 1: finished",
        #"console: quote: \u{1b}[31mred\u{9b}0m\u{8}\u{202e}"#, "console: completion: finished"))
  }

  // MARK: The time limit

  /// It's the limit of all parts together, so the second one doesn't begin. A busy machine may need
  /// more than a second only to start the program.
  @Test(.hangLimit) func theTimeLimitStopsTheRun() async throws {
    for seconds in [1, 4, 16, 64] {
      let server = try LoopbackServer.behindIdentity(.keepSilent)
      let result = try await run(server, "--time-limit", "\(seconds)")
      guard server.requestedTargets == ["/", "/quote"] else { continue }
      return expectSameResult(
        result,
        as: ExecutableResult(
          status: 1,
          stdout: """
            new-scenario: Load a quote, and see what the subscriber receives.

            # The quote arrives
            request 1: GET SERVER/quote
            request 1: cancelled after 0 bytes

            """,
          stderr: "new-scenario: The quote arrives: stopped at the time limit of N s; "
            + "open requests: GET SERVER/quote\n"))
    }
    Issue.record("no run came as far as its first request")
  }

  // MARK: The check of the server

  @Test func aMissingServerCostsOneLine() async throws {
    let server = try LoopbackServer.behindIdentity(.reset)
    server.stop()
    expectSameResult(
      try await run(server),
      as: failure(
        "can't reach SERVER (connection refused). Is the server running? Start it with: make server"
      ))
  }

  @Test func aSilentServerCostsOneLine() async throws {
    expectSameResult(
      try await run(try LoopbackServer(reacting: { _ in .keepSilent }), "--time-limit", "1"),
      as: failure(
        "SERVER didn't respond within the time limit of N s. Is the port right, and is the server healthy?"
      ))
  }

  @Test(
    arguments: [
      (.reset, "networkConnectionLost"), (.send(Data()), "badServerResponse"),
      (.send(Data("SSH-2.0-OpenSSH_9.2\r\n".utf8)), "unsupportedURL"),
      (endlessBody, "dataLengthExceedsMaximum"),
    ] as [(LoopbackServer.Reaction, String)])
  func aServerThatDoesNotSpeakHTTPCostsOneLine(
    _ reaction: LoopbackServer.Reaction, code: String
  ) async throws {
    expectSameResult(
      try await run(try LoopbackServer(reacting: { _ in reaction })),
      as: failure("SERVER doesn't respond in HTTP (URLError.\(code)). Is the port right?"))
  }

  @Test(arguments: [
    (LoopbackServer.response("<h1>It works!</h1>", type: "text/html"), "200 text/html"),
    (
      LoopbackServer.response(#"{"service": "another"}"#, type: "application/json"),
      "200 application/json"
    ),
    (LoopbackServer.response("busy", status: "503 Service Unavailable"), "503 text/plain"),
    (
      LoopbackServer.response("", status: "404 -", type: "text/\u{1B}[31mred"),
      #"404 text/\u{1b}[31mred"#
    ),
  ])
  func anotherServerCostsOneLine(response: Data, shown: String) async throws {
    expectSameResult(
      try await run(try LoopbackServer { _ in response }),
      as: failure(
        "SERVER isn't the scenarios' server: it responded with \(shown). "
          + "Start the right one with: make server"))
  }
}
