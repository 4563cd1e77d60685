import Foundation
import ScenarioKit
import Testing

@Suite struct AbsoluteURLTests {
  @Test(arguments: ["https://example.com/users?page=1#top", "http://127.0.0.1:8080", "ftp://a/b"])
  func anAbsoluteURLIsAccepted(string: String) {
    #expect(URL(absolute: string).absoluteString == string)
  }

  @Test(arguments: [
    "", "/users", "example.com/users", "//example.com/users", "mailto:ada@example.com",
    "https:///users",
  ])
  func anythingElseEndsTheProgram(string: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [string] in
      _ = URL(absolute: string)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      output.contains(
        "Fatal error: \"\(string)\" isn't an absolute URL. Write one, such as "
          + "https://example.com/users\n"))
  }
}
