import Foundation
import Testing

@Suite struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Program.Result {
    try Program(serverProgram, arguments, in: folder.url).result()
  }

  @Test(arguments: [
    (
      ["--port", "http"],
      "The value 'http' is invalid for '--port <port>': use a number from 0 to 65535"
    ),
    (
      ["--port", "65536"],
      "The value '65536' is invalid for '--port <port>': use a number from 0 to 65535"
    ),
    (["--port"], "Missing value for '--port <port>'"),
    (
      ["--token-lifetime", "0"],
      "The value '0' is invalid for '--token-lifetime <seconds>': use a number of seconds from 1 to "
        + "31536000 (a year)"
    ),
    (["--databse", "x"], "Unknown option '--databse'. Did you mean '--database'?"),
    (["8080"], "Unexpected argument '8080'"),
  ])
  func reportsABadOptionInOneLine(_ arguments: [String], _ problem: String) throws {
    #expect(
      try Program(serverProgram, arguments, in: folder.url).result()
        == Program.Result(status: 64, stderr: "scenario-server: \(problem) (see --help)\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func helpNamesEachOptionAndItsDefault() throws {
    #expect(
      try run("--help")
        == Program.Result(
          status: 0,
          stdout: """
            OVERVIEW: Runs a real HTTP server for the scenarios. Use it with --server URL.

            USAGE: scenario-server [--host <host>] [--port <port>] [--database <path>] [--token-lifetime <seconds>]

            OPTIONS:
              --host <host>           The address to listen on. Only this machine can reach
                                      the default one. (default: 127.0.0.1)
              --port <port>           The port to listen on; 0 picks a free one. (default:
                                      8080)
              --database <path>       The SQLite file for users, tokens and todos. It's
                                      created if it doesn't exist. (default:
                                      scenario-server.sqlite)
              --token-lifetime <seconds>
                                      How long a login is valid, in seconds. (default: 3600)
              -h, --help              Show help information.


            """))
  }

  @Test func aPortInUseIsReportedInOneLine() throws {
    let server = try RunningServer()
    let port = try #require(server.base.split(separator: ":").last)
    #expect(
      try run("--port", "\(port)")
        == Program.Result(
          status: 1,
          stderr: "scenario-server: can't listen on 127.0.0.1, port \(port): "
            + "Address already in use\n"))
  }

  @Test func anUnknownHostIsReportedInOneLine() throws {
    #expect(
      try run("--port", "0", "--host", "no-such-host.invalid")
        == Program.Result(
          status: 1,
          stderr: "scenario-server: can't listen on no-such-host.invalid, port 0: "
            + "there's no such host\n"))
  }

  @Test func aDatabaseThatCannotBeUsedIsReportedInOneLine() throws {
    let file = folder.path("notes.txt")
    try Data("This isn't a database, but it's long enough for a header.".utf8)
      .write(to: URL(fileURLWithPath: file))
    for (path, reason) in [
      (file, "file is not a database"), (folder.url.path, "unable to open database file"),
      (folder.path("missing/todos.sqlite"), "unable to open database file"),
    ] {
      #expect(
        try run("--port", "0", "--database", path)
          == Program.Result(
            status: 1,
            stderr: "scenario-server: can't use \(path) as a database: \(reason)\n"))
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("This isn't a database"))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsTheServerInOrder(_ signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let server = try RunningServer(in: folder)
    // In the middle of a response, which still arrives.
    let page = try await fetch(server.base + "/page") { fetched in
      if fetched.text == "<h1>Notes</h1>" { server.program.signal(signal) }
      return false
    }
    #expect(page.text == "<h1>Notes</h1><p>G</p>...")
    #expect(
      try server.program.result()
        == Program.Result(
          status: 0, stdout: "listening on \(server.base) (database: \(server.database))\n"))
    // All changes are in the database file. The log is gone.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files == ["test.sqlite"])
  }

  @Test func theOptionSetsTheLifetimeOfTokens() async throws {
    let server = try RunningServer("--token-lifetime", "17")
    _ = try await send(.signUp("a@b"), to: server.base)
    #expect(
      try await send(.logIn("a@b"), to: server.base).text.hasPrefix(#"200 {"expiresIn":17,"#))
  }
}
