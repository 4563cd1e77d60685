import Foundation
import Testing

@testable import ScenarioKit

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("localhost:8080", "it does not begin with http:// or https://"),
    ("ftp://localhost", "it does not begin with http:// or https://"),
    ("http://", "it names no host"),
    ("http://:8080", "it names no host"),
    ("http://localhost:0", "its port is not between 1 and 65535"),
    ("http://localhost:65536", "its port is not between 1 and 65535"),
    ("http://local host", "it has a space in it"),
    ("http://localhost/?a=b", "it holds a query"),
    ("http://localhost/#top", "it holds a query"),
    ("http://[::1", "it is no URL"),
    (
      "http://[::1]:8080",
      "a URLSession on Linux takes no IPv6 address, so use 127.0.0.1 or a name"
    ),
  ])
  func refusesWhatIsNoServer(text: String, problem: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) { try ServerAddress(text) }
    #expect(
      error?.description == "--server cannot be \"\(text)\": \(problem); "
        + "name the server like this: --server http://127.0.0.1:8080")
  }

  @Test(arguments: [
    ("http://ada:p@ssword@localhost", "…@localhost", "it holds a user's name"),
    ("ada:password@localhost", "…@localhost", "it does not begin with http:// or https://"),
    ("http:/ada:password@localhost", "…@localhost", "it names no host"),
    ("http://local\nhost", "http://local\\nhost", "it has a space in it"),
  ])
  func repeatsNoPasswordAndNoLineBreak(text: String, shown: String, problem: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) { try ServerAddress(text) }
    #expect(
      error?.description == "--server cannot be \"\(shown)\": \(problem); "
        + "name the server like this: --server http://127.0.0.1:8080")
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
  func leadsEveryRequestToTheServer(server: String, from: String, to: String) throws {
    let url = try #require(URL(string: from))
    #expect(try ServerAddress(server).rebased(url).absoluteString == to)
  }

  @Test func saysThatNobodyListens() throws {
    let listener = try Listener(greeting: nil)
    let base = "http://127.0.0.1:\(listener.port)"
    listener.close()
    #expect(
      try ServerAddress(base).problem()
        == "nothing listens at \(base): start a server with `make server`, or name another")
  }

  @Test func asksAgainIfTheCallIsDropped() throws {
    let listener = try Listener(greeting: nil)
    let base = "http://127.0.0.1:\(listener.port)"
    listener.dropNextCall()
    #expect(
      try ServerAddress(base).problem()
        == "nothing listens at \(base): start a server with `make server`, or name another")
  }

  @Test func saysThatSomethingElseListens() throws {
    let listener = try Listener(greeting: "SSH-2.0-OpenSSH_9.2\r\n")
    defer { listener.close() }
    let base = "http://127.0.0.1:\(listener.port)"
    let problem = try #require(try ServerAddress(base).problem())
    #expect(problem.hasPrefix("what listens at \(base) does not answer in HTTP ("))
    #expect(problem.hasSuffix("): is the port right?"))
  }

  @Test(arguments: [
    ("200 OK", "text/html", "<h1>It works!</h1>", "200 text/html"),
    ("200 OK", "application/json", #"{"service": "another"}"#, "200 application/json"),
    ("503 Service Unavailable", "text/plain", "busy", "503 text/plain"),
    // To which a session on Linux calls no completion handler.
    (
      "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"all\"", "text/html", "",
      "401 text/html"
    ),
  ])
  func saysThatItIsAnotherServer(status: String, type: String, body: String, answer: String) throws
  {
    let listener = try Listener(
      greeting: "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    defer { listener.close() }
    let base = "http://127.0.0.1:\(listener.port)"
    #expect(
      try ServerAddress(base).problem()
        == "\(base) answers \(answer), and that is not the server of the scenarios: "
        + "start it with `make server`, or name another")
  }

  @Test func saysThatNothingIsAnswered() throws {
    let listener = try Listener(greeting: "")
    defer { listener.close() }
    let base = "http://127.0.0.1:\(listener.port)"
    #expect(
      try ServerAddress(base).problem(patience: 1)
        == "\(base) did not answer within 1 s: is the port right, and the server well?")
  }

  @Test func isContentWithTheRightServer() throws {
    let body = #"{"service": "stream-scenarios"}"#
    let listener = try Listener(
      greeting: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    defer { listener.close() }
    #expect(try ServerAddress("http://127.0.0.1:\(listener.port)").problem() == nil)
    #expect(try ServerAddress("HTTP://127.0.0.1:\(listener.port)/").problem() == nil)
  }
}
