import Foundation
import TestSupport
import Testing

@testable import ScenarioKit

@Suite struct ServerURLTests {
  private let limit = TimeLimit(seconds: 60)

  @Test(arguments: [
    ("localhost:8080", "it doesn't start with http:// or https://"),
    ("ftp://localhost", "it doesn't start with http:// or https://"),
    ("http://", "it has no host"),
    ("http://:8080", "it has no host"),
    ("http://localhost:0", "its port isn't between 1 and 65535"),
    ("http://localhost:65536", "its port isn't between 1 and 65535"),
    ("http://local host", "it contains a space"),
    ("http://localhost/?a=b", "it contains a query or a fragment"),
    ("http://localhost/#top", "it contains a query or a fragment"),
    ("http://[::1", "it isn't a valid URL"),
    (
      "http://[::1]:8080",
      "URLSession on Linux doesn't support IPv6 addresses, so use 127.0.0.1 or a name"
    ),
  ])
  func refusesATextThatIsNotAServersURL(text: String, problem: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) { try ServerURL(text) }
    #expect(
      error?.description == "--server can't be \"\(text)\": \(problem). "
        + "Write it like this: --server http://127.0.0.1:8080")
  }

  @Test(arguments: [
    ("http://ada:p@ssword@localhost", "…@localhost", "it contains a user name or a password"),
    ("ada:password@localhost", "…@localhost", "it doesn't start with http:// or https://"),
    ("http:/ada:password@localhost", "…@localhost", "it has no host"),
    ("http://local\nhost", "http://local\\nhost", "it contains a space"),
  ])
  func theMessageHasNoPasswordAndNoLineBreak(text: String, shown: String, problem: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) { try ServerURL(text) }
    #expect(
      error?.description == "--server can't be \"\(shown)\": \(problem). "
        + "Write it like this: --server http://127.0.0.1:8080")
  }

  @Test(arguments: [
    ("HTTP://localhost:8080", "https://example.com/a", "http://localhost:8080/a"),
    (
      "http://localhost:8080", "https://api.example.com/users/ada",
      "http://localhost:8080/users/ada"
    ),
    ("http://localhost:8080/", "https://example.com", "http://localhost:8080"),
    (
      "https://127.0.0.1/scenarios/", "http://example.com:81/a%2Fb?q=swift%20ui&n=1",
      "https://127.0.0.1/scenarios/a%2Fb?q=swift%20ui&n=1"
    ),
    ("http://localhost:", "https://example.com/quote", "http://localhost/quote"),
  ])
  func everyRequestGoesToTheServer(server: String, from: String, to: String) throws {
    let url = try #require(URL(string: from))
    #expect(try ServerURL(server).rebased(url).absoluteString == to)
  }

  @Test func reportsARefusedConnection() throws {
    let server = try BadServer { _ in .reset }
    let base = server.url
    server.stop()
    #expect(
      try ServerURL(base).problem(until: limit)
        == "can't reach \(base) (connection refused). "
        + "Is the server running? Start it with: make server")
  }

  @Test func triesAgainAfterADroppedConnection() throws {
    let server = try BadServer { _ in .stopAndReset }
    let base = server.url
    #expect(
      try ServerURL(base).problem(until: limit)
        == "can't reach \(base) (connection refused). "
        + "Is the server running? Start it with: make server")
    #expect(server.requestedPaths == ["/"])
  }

  @Test func reportsAServerThatDoesNotSpeakHTTP() throws {
    let server = try BadServer { _ in .send("SSH-2.0-OpenSSH_9.2\r\n") }
    defer { server.stop() }
    let base = server.url
    let problem = try #require(try ServerURL(base).problem(until: limit))
    #expect(problem.hasPrefix("\(base) doesn't respond in HTTP ("))
    #expect(problem.hasSuffix("). Is the port right?"))
  }

  @Test(arguments: [
    ("200 OK", "text/html", "<h1>It works!</h1>", "200 text/html"),
    ("200 OK", "application/json", #"{"service": "another"}"#, "200 application/json"),
    ("503 Service Unavailable", "text/plain", "busy", "503 text/plain"),
    // For this response, a session on Linux never calls a completion handler.
    (
      "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"all\"", "text/html", "",
      "401 text/html"
    ),
  ])
  func reportsAnotherServer(status: String, type: String, body: String, response: String) throws {
    let server = try BadServer { _ in .send(BadServer.response(status, type: type, body)) }
    defer { server.stop() }
    let base = server.url
    #expect(
      try ServerURL(base).problem(until: limit)
        == "\(base) isn't the scenarios' server: it responded with \(response). "
        + "Start the right one with: make server")
  }

  @Test func reportsASilentServer() throws {
    let server = try BadServer { _ in .keepSilent }
    defer { server.stop() }
    let base = server.url
    #expect(
      try ServerURL(base).problem(patience: 1, until: limit)
        == "\(base) didn't respond within 1 s. Is the port right, and is the server healthy?")
  }

  @Test func acceptsTheScenariosServer() throws {
    let server = try BadServer { _ in .send(BadServer.identity) }
    defer { server.stop() }
    #expect(try ServerURL(server.url).problem(until: limit) == nil)
    let upperCase = server.url.replacing("http", with: "HTTP") + "/"
    #expect(try ServerURL(upperCase).problem(until: limit) == nil)
  }
}
