import Foundation
import ServerTestSupport
import Testing

@testable import ScenarioServer

@Suite struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program(serverProgram, arguments, in: folder.url).result()
  }

  @Test(arguments: [
    (["--port", "http"], "'http' is invalid for '--port <port>': use a number from 0 to 65535"),
    (["--port", "65536"], "'65536' is invalid"), (["--port=-1"], "'-1' is invalid"),
    (["--port"], "Missing value for '--port <port>'"),
    (["--token-lifetime", "0"], "use a number of seconds from 1 to 31536000 (a year)"),
    (["--token-lifetime", "1h"], "use a number of seconds"),
    (["--databse", "x"], "Unknown option '--databse'"), (["8080"], "Unexpected argument '8080'"),
  ])
  func reportsABadOptionInOneLine(_ arguments: [String], _ problem: String) throws {
    let result = try Program(serverProgram, arguments, in: folder.url).result()
    #expect(result.status == 64)
    #expect(result.stdout == "")
    #expect(result.stderr.hasPrefix("scenario-server: "))
    #expect(result.stderr.contains(problem))
    #expect(result.stderr.hasSuffix(" (see --help)\n"))
    #expect(result.stderr.split(separator: "\n").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  /// A terminal would obey them.
  @Test(arguments: [
    ["a\u{1B}[2J\nb"], ["--port", "1\u{9B}2J"], ["--host", "a\u{202E}b"],
    ["--database", "/missing\u{1B}[2J\r\n/x"], [String(repeating: "x", count: 100_000)],
  ])
  func showsNoControlCharacters(_ arguments: [String]) throws {
    let result = try Program(serverProgram, arguments, in: folder.url).result()
    #expect(result.status != 0)
    #expect(result.stderr.unicodeScalars.count < 1_100)
    #expect(result.stderr.split(separator: "\n").count == 1)
    for character in ["\u{1B}", "\u{9B}", "\u{202E}", "\r"] {
      #expect(!result.stderr.unicodeScalars.contains(character.unicodeScalars.first!))
    }
  }

  @Test func helpNamesEachOptionAndItsDefault() throws {
    let result = try run("--help")
    #expect(result.status == 0)
    #expect(result.stderr == "")
    for text in [
      "--host", "127.0.0.1", "--port", "8080", "--database", "scenario-server.sqlite",
      "--token-lifetime", "3600",
    ] {
      #expect(result.stdout.contains(text))
    }
  }

  @Test func helpNamesTheLimits() throws {
    var limits = Limits()
    limits.uriBytes = 3 << 10
    limits.headBytes = 5 << 10
    limits.headerFields = 7
    limits.requestSeconds = 11
    limits.responseSeconds = 13
    limits.connections = 17
    limits.connectionsPerClient = 19
    limits.wrongLoginsPerClient = 23
    limits.wrongLoginsPerAccount = 29
    limits.loginWindowSeconds = 31
    limits.waitingPasswords = 37
    limits.waitingPasswordsPerClient = 41
    limits.todos.users = 43
    limits.todos.todosOfAUser = 47
    limits.todos.tokensOfAUser = 53
    limits.databaseBytes = 59 << 20
    #expect(
      limits.summary == """
        Limits. Most requests beyond them get a status of 400 or more, and the reason.

        Requests: 3 KiB for the URI, 5 KiB and 7 fields for the head, 64 KiB for the body, 11 s \
        for sending it all, and 13 s for the response.

        Connections: 17 at a time, or as many as the system allows, 19 of them from one address. \
        Others wait or are closed.

        Logins: 23 wrong ones from one address and 29 for one account within 31 s. At a time, 37 \
        logins and sign-ups, 41 of them from one address.

        Data: 43 users, 47 todos and 53 tokens of each, 59 MiB for the database.
        """)
    // The help breaks lines at its own places.
    let words = { (text: String) in
      text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(words(try run("--help").stdout).contains(words(Limits.standard.summary)))
  }

  @Test func aPortInUseIsReportedInOneLine() throws {
    let server = try RunningServer()
    let port = try #require(server.base.split(separator: ":").last)
    #expect(
      try run("--port", "\(port)")
        == Program.Result(
          status: 1, stdout: "",
          stderr: "scenario-server: can't listen on 127.0.0.1, port \(port): "
            + "Address already in use\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func anUnknownHostIsReportedInOneLine() throws {
    let result = try run("--port", "0", "--host", "no-such-host.invalid")
    #expect(result.status == 1)
    #expect(
      result.stderr.hasPrefix("scenario-server: can't listen on no-such-host.invalid, port 0: "))
    #expect(result.stderr.split(separator: "\n").count == 1)
  }

  @Test func aFileThatIsNotADatabaseIsReportedInOneLine() throws {
    let file = folder.path("notes.txt")
    try Data("This isn't a database, but it's long enough for a header.".utf8)
      .write(to: URL(fileURLWithPath: file))
    #expect(
      try run("--port", "0", "--database", file)
        == Program.Result(
          status: 1, stdout: "",
          stderr: "scenario-server: can't use \(file) as a database: file is not a database\n"))
  }

  @Test func aDatabaseThatCannotBeCreatedIsReportedInOneLine() throws {
    let result = try run("--port", "0", "--database", "missing/todos.sqlite")
    #expect(result.status == 1)
    #expect(result.stdout == "")
    #expect(result.stderr.hasPrefix("scenario-server: can't use "))
    #expect(result.stderr.contains("missing/todos.sqlite as a database: unable to open"))
    #expect(result.stderr.split(separator: "\n").count == 1)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsTheServerWithStatus0(_ signal: Int32) throws {
    let server = try RunningServer()
    server.program.signal(signal)
    let result = try server.program.result()
    #expect(result.status == 0)
    #expect(result.stdout == "listening on \(server.base) (database: \(server.database))\n")
    #expect(result.stderr == "")
    // All changes are in the database file. The log is gone.
    #expect(!FileManager.default.fileExists(atPath: server.database + "-wal"))
  }

  @Test func theOptionSetsTheLifetimeOfTokens() async throws {
    let server = try RunningServer("--token-lifetime", "17")
    let json = ["Content-Type": "application/json"]
    let body = #"{"name":"A","email":"a@b","password":"12345678","verifyPassword":"12345678"}"#
    let user = try await fetch(
      server.base + "/users", method: "POST", headers: json, body: Data(body.utf8))
    #expect(user.status == 201)
    let login = try await fetch(
      server.base + "/login", method: "POST",
      headers: ["Authorization": "Basic \(Data("a@b:12345678".utf8).base64EncodedString())"])
    #expect(login.text.hasPrefix(#"{"expiresIn":17,"#))
  }
}
