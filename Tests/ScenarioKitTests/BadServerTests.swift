import Foundation
import TestSupport
import Testing

/// A program with `--server` and a server that does everything wrong. The template stands for all
/// scenarios: it makes one request for `/quote` and one for `/quote/lost`.
@Suite struct BadServerTests {
  /// Runs the template, and returns its words without times.
  private func run(_ server: BadServer, _ arguments: String...) async throws -> ExecutableResult {
    let result = try await runExecutable(
      "new-scenario", arguments: ["--server", server.url] + arguments)
    // Keep the server until here.
    return withExtendedLifetime(server) {
      ExecutableResult(
        status: result.status,
        stdout: result.stdout.replacing(server.url, with: "SERVER")
          .replacing(/(?m)^ *\d+ms +(request \d|console) +/) { "\($0.output.1): " },
        stderr: result.stderr.replacing(server.url, with: "SERVER"))
    }
  }

  /// Runs the template with a time limit that it reaches after a request for a path. The limit's
  /// number is left out of the result.
  private func run(
    limits: [Int] = [1, 4, 16, 64, 256], after path: String, of makeServer: () throws -> BadServer
  ) async throws -> (result: ExecutableResult, requestedPaths: [String]) {
    try await withTimeLimit(limits) { seconds in
      let server = try makeServer()
      let result = try await run(server, "--time-limit", "\(seconds)")
      let paths = server.requestedPaths
      return ((result.hidingLimit(seconds), paths), paths.contains(path))
    }
  }

  /// The limits for a check that isn't answered. From 20 s on, it has a limit of its own.
  private static let limitsOfTheCheck = [1, 3, 9, 18]

  /// The transcript of both parts, if both get the same lines.
  private func transcript(_ lines: String...) -> String {
    let parts = [("The quote arrives", "/quote"), ("The connection fails", "/quote/lost")]
    return "new-scenario: Load a quote, and see what the subscriber receives.\n"
      + parts.map { title, path in
        (["\n# \(title)", "request 1: GET SERVER\(path)"] + lines).map { "\($0)\n" }.joined()
      }.joined()
  }

  private func failure(_ code: String) -> ExecutableResult {
    ExecutableResult(
      status: 0,
      stdout: transcript(
        "request 1: failed: \(code)", "console: completion: failure(URLError.\(code))"),
      stderr: "")
  }

  @Test func oneTimeLimitHoldsForAllParts() async throws {
    let (result, requestedPaths) = try await run(after: "/quote") {
      try BadServer.behindIdentity(.keepSilent)
    }
    expectSameResult(
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
    #expect(requestedPaths == ["/", "/quote"])
  }

  @Test func theCheckIsPartOfTheTimeLimit() async throws {
    expectSameResult(
      try await run(
        limits: Self.limitsOfTheCheck, after: "/", of: { try BadServer { _ in .keepSilent } }
      ).result,
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER didn't respond within the time limit of N s. "
          + "Is the port right, and is the server healthy?\n"))
  }

  /// Endless responses that keep the session's thread busy, and that it never tells us about.
  ///
  /// Each of these runs needs two processors, so the tests serialise them.
  private static let endless: [String: BadServer.Behavior] = [
    // Here libcurl never returns to the session while the server sends.
    "trailers": .sendForever(
      head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n",
      chunk: String(repeating: "X: y\r\n", count: 10_000)),
    // The session keeps the body of a redirect to itself.
    "body of a redirect": .sendForever(
      head: "HTTP/1.1 302 Found\r\nLocation: /here\r\n\r\n",
      chunk: String(repeating: "x", count: 1 << 20)),
  ]

  @Test(.serialized, arguments: endless.keys.sorted())
  func theCheckEndsIfTheSessionIsBusy(endless: String) async throws {
    let endless = try #require(Self.endless[endless])
    expectSameResult(
      try await run(
        limits: Self.limitsOfTheCheck, after: "/", of: { try BadServer { _ in endless } }
      ).result,
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER didn't respond within the time limit of N s. "
          + "Is the port right, and is the server healthy?\n"))
  }

  @Test(.serialized, arguments: endless.keys.sorted())
  func theTimeLimitHoldsIfTheSessionIsBusy(endless: String) async throws {
    let endless = try #require(Self.endless[endless])
    let result = try await run(after: "/quote") { try BadServer.behindIdentity(endless) }.result
    #expect(result.status == 1)
    #expect(
      result.stderr == "new-scenario: The quote arrives: stopped at the time limit of N s; "
        + "open requests: GET SERVER/quote\n")
  }

  @Test func anEndlessBodyFails() async throws {
    let endless = BadServer.Behavior.sendForever(
      head: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
      chunk: String(repeating: "x", count: 1 << 20))
    expectSameResult(
      try await run(try BadServer.behindIdentity(endless)), as: failure("dataLengthExceedsMaximum"))
  }

  @Test func theCheckDoesNotReadAnEndlessBody() async throws {
    let endless = BadServer.Behavior.sendForever(
      head: "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
      chunk: String(repeating: "x", count: 1 << 20))
    expectSameResult(
      try await run(try BadServer { _ in endless }),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER isn't the scenarios' server: it responded with "
          + "200 text/plain. Start the right one with: make server\n"))
  }

  @Test func aRedirectLoopFails() async throws {
    let server = try BadServer { path in
      path == "/"
        ? .send(BadServer.identity)
        : .send(BadServer.response("302 Found", headers: ["Location: \(path)"], ""))
    }
    expectSameResult(try await run(server), as: failure("httpTooManyRedirects"))
    // After each part with a failure, the program checks that the server is still there.
    #expect(
      server.requestedPaths.filter { $0 != "/" }
        == ["/quote", "/quote/lost"].flatMap { Array(repeating: $0, count: 11) })
  }

  @Test func theCheckRecognisesARedirectLoop() async throws {
    let loop = BadServer.response("302 Found", headers: ["Location: /"], "")
    expectSameResult(
      try await run(try BadServer { _ in .send(loop) }),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER isn't the scenarios' server: it responded with "
          + "302 text/plain. Start the right one with: make server\n"))
  }

  @Test func aRedirectToAnotherServerIsTheResponse() async throws {
    let other = try BadServer { _ in .send(BadServer.identity) }
    let redirect = BadServer.response(
      "302 Found", headers: ["Location: \(other.url)/quote"], "moved")
    expectSameResult(
      try await run(try BadServer.behindIdentity(.send(redirect))),
      as: ExecutableResult(
        status: 0,
        stdout: transcript(
          "request 1: 302 Found", "request 1: 5 bytes", "request 1: finished",
          "console: quote: moved", "console: completion: finished"),
        stderr: ""))
    #expect(other.requestedPaths == [])
  }

  @Test func aRedirectOnTheServerIsFollowed() async throws {
    let server = try BadServer { path in
      switch path {
      case "/": .send(BadServer.identity)
      case "/here": .send(BadServer.response("200 OK", "here"))
      default: .send(BadServer.response("307 Temporary Redirect", headers: ["Location: /here"], ""))
      }
    }
    expectSameResult(
      try await run(server),
      as: ExecutableResult(
        status: 0,
        stdout: transcript(
          "request 1: 200 OK", "request 1: 4 bytes", "request 1: finished",
          "console: quote: here", "console: completion: finished"),
        stderr: ""))
  }

  /// A session on Linux ends such a task without an error, and without a response.
  @Test(arguments: [[], ["Location:"], ["Location: http://[oops"]])
  func aRedirectToNowhereFails(headers: [String]) async throws {
    let redirect = BadServer.Behavior.send(
      BadServer.response("302 Found", headers: headers, "moved"))
    expectSameResult(
      try await run(try BadServer.behindIdentity(redirect)), as: failure("badServerResponse"))
    expectSameResult(
      try await run(try BadServer { _ in redirect }),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER doesn't respond in HTTP (URLError.badServerResponse). "
          + "Is the port right?\n"))
  }

  /// A session on Linux never calls the completion handler of such a task by itself.
  @Test(arguments: ["Basic realm=\"all\"", "Basic", "Digest realm=\"all\", nonce=\"1\""])
  func aRequestForCredentialsIsAnOrdinaryResponse(challenge: String) async throws {
    let response = BadServer.response(
      "401 Unauthorized", headers: ["WWW-Authenticate: \(challenge)"], "no")
    expectSameResult(
      try await run(try BadServer.behindIdentity(.send(response))),
      as: ExecutableResult(
        status: 0,
        stdout: transcript(
          "request 1: 401 Unauthorized", "request 1: 2 bytes", "request 1: finished",
          "console: quote: no", "console: completion: finished"),
        stderr: ""))
  }

  private static let trap =
    "new-scenario: URLSession on Linux traps on the server's response (Transfer completed, "
    + "but there's no response). See docs/real-servers.md\n"

  @Test(arguments: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Ty"])
  func aTrapInFoundationIsOneLine(half: String) async throws {
    let result = try await run(try BadServer.behindIdentity(.send(half)))
    #expect(result.status == 1)
    #expect(result.stderr == Self.trap)
    expectSameResult(
      try await run(try BadServer { _ in .send(half) }),
      as: ExecutableResult(status: 1, stdout: "", stderr: Self.trap))
  }

  /// The sum of this length and another one overflows, and that's a trap without a message.
  @Test func aTrapWithoutAMessageIsOneLine() async throws {
    let response = "HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max)\r\n\r\n"
    let result = try await run(try BadServer { _ in .send(response) })
    expectSameResult(
      ExecutableResult(
        status: result.status, stdout: result.stdout,
        stderr: result.stderr.replacing(/signal \d \(SIG(ILL|TRAP)\)/, with: "SIGNAL")),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: the run was ended by SIGNAL without a message. Some responses make "
          + "URLSession on Linux do that. See docs/real-servers.md\n"))
  }

  @Test func controlCharactersAreEscaped() async throws {
    let red = "\u{1B}[31mred\u{9B}0m\u{8}\u{202E}"
    let shown = #"\u{1b}[31mred\u{9b}0m\u{8}\u{202e}"#
    expectSameResult(
      try await run(try BadServer.behindIdentity(.send(BadServer.response("200 OK", red)))),
      as: ExecutableResult(
        status: 0,
        stdout: transcript(
          "request 1: 200 OK", "request 1: \(red.utf8.count) bytes", "request 1: finished",
          "console: quote: \(shown)", "console: completion: finished"),
        stderr: ""))
    let other = BadServer.response("404 Not Found", type: "text/\u{1B}[31mred", "")
    expectSameResult(
      try await run(try BadServer { _ in .send(other) }),
      as: ExecutableResult(
        status: 1, stdout: "",
        stderr: "new-scenario: SERVER isn't the scenarios' server: it responded with "
          + #"404 text/\u{1b}[31mred. Start the right one with: make server"# + "\n"))
  }

  /// A session on Linux keeps its thread busy while it waits, and the program slows that down.
  @Test func waitingTakesLittleProcessorTime() async throws {
    let program = builtProduct("new-scenario").path
    let (seconds, result) = try await withTimeLimit([4, 16, 64, 256]) { seconds in
      let server = try BadServer.behindIdentity(.keepSilent)
      let script = "\"\(program)\" --server \(server.url) --time-limit \(seconds) 2>&1; times"
      let result = try await TestSupport.run(
        URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
      return ((seconds, result), server.requestedPaths.contains("/quote"))
    }
    #expect(result.stdout.contains("stopped at the time limit of \(seconds) s"))
    // The last line has the time of all children, in user and system mode: 0m0.07s 0m0.11s.
    let times = result.stdout.split(separator: "\n").last?.matches(of: /(\d+)m([\d.]+)s/)
    let used = try #require(times).map { (Double($0.1) ?? 0) * 60 + (Double($0.2) ?? 0) }
    #expect(used.count == 2)
    #expect(used.reduce(0, +) < Double(seconds) * 0.3)
  }
}
