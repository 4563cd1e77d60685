import Foundation
import Testing

@testable import ScenarioKit

@Suite struct ServerURLTests {
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
}
