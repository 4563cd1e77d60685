import Foundation
import Testing

@testable import scenario_server

/// Requests the scripted paths from a server process, over real HTTP.
@Suite struct ScriptedPathsTests {
  private static let server = Result { try RunningServer() }

  private func get(
    _ path: String, enough: @escaping @Sendable (Fetched) -> Bool = { _ in false }
  ) async throws -> Fetched {
    try await fetch(Self.server.get().base + path, enough: enough)
  }

  /// A complete response.
  struct Complete: Equatable, CustomTestStringConvertible {
    let path: String
    var status = 200
    let type: String?
    let body: String
    /// Whether there is a `Content-Length`. If not, the body comes in chunks.
    var hasLength = true

    var testDescription: String { path }
  }

  @Test(arguments: [
    Complete(path: "/", type: "application/json", body: #"{"service": "stream-scenarios"}"#),
    Complete(
      path: "/users/ada", type: "application/json",
      body: #"{"name": "Ada Lovelace", "userID": "ada"}"#),
    Complete(
      path: "/users/out-of-order", status: 500, type: "application/json",
      body: #"{"reason": "out of order"}"#),
    Complete(path: "/users/nameless", type: "application/json", body: #"{"userID": "nameless"}"#),
    Complete(path: "/quote", type: "text/plain; charset=utf-8", body: "Begin at the beginning."),
    Complete(
      path: "/mirror/quote", type: "text/plain; charset=utf-8", body: "Begin at the beginning."),
    Complete(path: "/headline", type: "text/plain; charset=utf-8", body: "Engine weaves algebra"),
    Complete(path: "/status", type: "text/plain; charset=utf-8", body: "all well"),
    Complete(path: "/page", type: "text/html", body: "<h1>Notes</h1><p>G</p>..."),
    Complete(
      path: "/chunked/page", type: "text/html", body: "<h1>Notes</h1><p>G</p>...",
      hasLength: false),
    Complete(path: "/page/image", type: "image/png", body: "<h1>Notes</h1><p>G</p>..."),
    Complete(
      path: "/page/missing", status: 404, type: "text/html", body: "<h1>No such page</h1>"),
    Complete(path: "/images/text", type: "text/plain; charset=utf-8", body: "No heart today."),
    Complete(
      path: "/search?q=sw", type: "application/json", body: #"["sway", "swing", "swift"]"#),
    Complete(path: "/search?q=swift", type: "application/json", body: #"["swift", "swiftly"]"#),
    Complete(
      path: "/sensors/thermometer?tick=2", type: "text/plain; charset=utf-8", body: "19 degrees"),
    Complete(path: "/sensors/anemometer?tick=3", type: "text/plain; charset=utf-8", body: "3 m/s"),
    // A query that makes no difference.
    Complete(path: "/status?now", type: "text/plain; charset=utf-8", body: "all well"),
  ])
  func respondsLikeTheStub(_ expected: Complete) async throws {
    let fetched = try await get(expected.path)
    let headers = fetched.headers
    #expect(
      Complete(
        path: expected.path, status: fetched.status ?? 0, type: headers["content-type"],
        body: fetched.text, hasLength: headers["content-length"] == "\(expected.body.utf8.count)")
        == expected)
    #expect(headers["connection"] == "close" && fetched.error == nil)
  }

  @Test func aPageMayBeInAnotherEncoding() async throws {
    let fetched = try await get("/page/latin-1")
    #expect(fetched.headers["content-type"] == "text/html")
    #expect(fetched.body == Data("<p>Ol".utf8) + [0xE9] + Data("!</p>".utf8))
  }

  @Test(arguments: ["/quote/lost", "/users/lost", "/page/lost"])
  func losesTheConnectionWithoutAResponse(_ path: String) async throws {
    #expect(try await get(path) == Fetched(error: .networkConnectionLost))
  }

  @Test(arguments: [
    ("/quote/lost-once", "Begin at the beginning."),
    ("/users/ada/lost-once", #"{"name": "Ada Lovelace", "userID": "ada"}"#),
  ])
  func losesEveryOtherConnection(_ path: String, _ text: String) async throws {
    var history: [String] = []
    for _ in 1...4 {
      let fetched = try await get(path)
      history.append(fetched.error.map { "\($0.rawValue)" } ?? fetched.text)
    }
    let lost = "\(URLError.Code.networkConnectionLost.rawValue)"
    #expect(history == [lost, text, lost, text])
  }

  @Test func breaksWithinTheBody() async throws {
    let fetched = try await get("/images/broken")
    #expect(fetched.status == 200)
    #expect(fetched.headers["content-length"] == "103")
    #expect(fetched.body.count == 60)
    #expect(fetched.error == .networkConnectionLost)
  }

  @Test func servesAHeartAndATruncatedOne() async throws {
    let heart = try await get("/images/heart")
    let truncated = try await get("/images/truncated")
    #expect(heart.headers["content-type"] == "image/png")
    #expect(heart.error == nil && truncated.error == nil)
    #expect(heart.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(truncated.body == heart.body.prefix(60))
  }

  @Test func sendsTheFirstChunkOfASlowPageAtOnce() async throws {
    let fetched = try await get("/page/slow") { !$0.body.isEmpty }
    #expect(fetched.text == "<h1>Notes</h1>")
    #expect(fetched.error == .cancelled)
  }

  @Test func respondsToHEADWithoutABody() async throws {
    let fetched = try await fetch(Self.server.get().base + "/status", method: "HEAD")
    #expect(fetched.status == 200)
    #expect(fetched.headers["content-length"] == "8")
    #expect(fetched.body.isEmpty && fetched.error == nil)
  }

  /// Looks at the table, because requesting the slow paths would take too long.
  @Test(arguments: [
    "/users/ada/slow", "/mirror/quote/slow", "/page/slow", "/sensors/stuck-anemometer?tick=2",
    "/sensors/stuck-anemometer?tick=3",
  ])
  func slowPathsWaitForTenSeconds(_ path: String) {
    guard case .response(let response) = scriptedPaths[path] else {
      Issue.record("the script has no response for \(path)")
      return
    }
    let pauses = response.chunks.map(\.pause) + [response.head?.latency ?? .zero]
    #expect(pauses.max() == .seconds(10))
  }
}
