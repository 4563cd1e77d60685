import Foundation
import Testing

@testable import server_trial

/// Each bad server does to a plain client what its sentence says.
@Suite struct BadServersTests {
  private static let right = RawResponse(
    text: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 31\r\n"
      + "Content-Type: application/json\r\n\r\n{\"service\": \"stream-scenarios\"}",
    end: .closed)

  /// The responses of servers that end the connection.
  private static let responses: [String: RawResponse] = [
    "refuses connections": RawResponse(end: .refused),
    "closes": RawResponse(end: .closed),
    "resets": RawResponse(end: .reset),
    "closes within the head": RawResponse(text: "HTTP/1.1 200 OK\r\nContent-Ty", end: .closed),
    "isn't HTTP": RawResponse(text: "SSH-2.0-OpenSSH_9.6\r\n", end: .closed),
    "500": response("500 Internal Server Error", "Content-Type: text/plain", "out of order\n"),
    "503": response(
      "503 Service Unavailable", "Content-Type: text/plain\r\nRetry-After: 1", "busy\n"),
    "401 with Basic": response(
      "401 Unauthorized",
      "Content-Type: text/plain\r\nWWW-Authenticate: Basic realm=\"trial\"", "who are you?\n"),
    "redirects to itself": response(
      "302 Found", "Content-Type: text/plain\r\nLocation: /loop", ""),
    "redirects elsewhere": response(
      "302 Found", "Content-Type: text/plain\r\nLocation: http://127.0.0.2:1/elsewhere", ""),
    "redirects nowhere": response("302 Found", "Content-Type: text/plain", "moved\n"),
    "is another web server": response(
      "200 OK", "Content-Type: text/html", "<h1>It works</h1>\n"),
    "wrong JSON": response("200 OK", "Content-Type: application/json", #"{"service": "parcels"}"#),
    "closes within the body": RawResponse(
      text: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000\r\n"
        + "Content-Type: application/json\r\n\r\n{\"service\":",
      end: .closed),
    "malformed chunks": RawResponse(
      text: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\neleven\r\n{\"service\":\r\n0\r\n\r\n",
      end: .closed),
    "isn't gzip": RawResponse(
      text: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\n"
        + "Content-Length: 31\r\nContent-Type: application/json\r\n\r\n"
        + "{\"service\": \"stream-scenarios\"}",
      end: .closed),
  ]

  private static func response(
    _ status: String, _ headers: String, _ body: String
  ) -> RawResponse {
    RawResponse(
      text: "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
        + "\(headers)\r\n\r\n\(body)",
      end: .closed)
  }

  /// A body that a server doesn't read together with the head. If it left bytes unread, closing the
  /// connection would reset it.
  private static let body = String(repeating: "x", count: 100_000)

  private func start(
    _ name: String, _ group: BadServer.Group = .fromTheStart
  ) throws -> RunningBadServer {
    try RunningBadServer(try #require(badServers.first { $0.name == name }), group)
  }

  @Test func eachServerIsTested() {
    let endless = [
      "never responds", "endless head", "endless redirect", "endless body", "endless trailers",
      "drips the head", "drips the body",
    ]
    #expect(badServers.map(\.name).sorted() == (Self.responses.keys + endless).sorted())
  }

  @Test(arguments: responses.keys.sorted())
  func isBadFromItsFirstResponseOn(_ name: String) throws {
    let server = try start(name)
    defer { server.stop() }
    for path in ["/", "/todos"] {
      #expect(rawResponse(port: server.port, path: path) == Self.responses[name])
    }
    #expect(
      rawResponse(port: server.port, method: "POST", path: "/", body: Self.body)
        == Self.responses[name])
  }

  @Test(arguments: responses.keys.sorted())
  func isRightForTheCheckAndBadAfterIt(_ name: String) throws {
    let server = try start(name, .afterTheCheck)
    defer { server.stop() }
    #expect(rawResponse(port: server.port, path: "/") == Self.right)
    #expect(rawResponse(port: server.port, path: "/page") == Self.responses[name])
    #expect(
      rawResponse(port: server.port, method: "POST", path: "/todos", body: Self.body)
        == Self.responses[name])
  }

  @Test func sendsNothingUntilTheClientCloses() throws {
    let server = try start("never responds")
    defer { server.stop() }
    #expect(
      rawResponse(port: server.port, path: "/", patience: 1) == RawResponse(end: .silent))
    #expect(
      rawResponse(port: server.port, path: "/", closesFirst: true) == RawResponse(end: .closed))
  }

  @Test func sendsAHeadWithoutAnEnd() throws {
    let server = try start("endless head")
    defer { server.stop() }
    let response = rawResponse(port: server.port, path: "/", limit: 1_000_000)
    let line = "X-More: \(String(repeating: "x", count: 990))\r\n"
    expect(response, isOpenAfter: "HTTP/1.1 200 OK\r\n", then: line)
  }

  @Test func sendsABodyWithoutAnEnd() throws {
    let server = try start("endless body")
    defer { server.stop() }
    let response = rawResponse(port: server.port, path: "/", limit: 2_000_000)
    expect(response, isOpenAfter: Self.headOfAnEndlessBody, then: "0")
  }

  @Test func sendsARedirectWithoutAnEnd() throws {
    let server = try start("endless redirect")
    defer { server.stop() }
    let response = rawResponse(port: server.port, path: "/", limit: 2_000_000)
    expect(
      response,
      isOpenAfter: "HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: /elsewhere\r\n\r\n",
      then: "0")
  }

  @Test func sendsTrailersWithoutAnEnd() throws {
    let server = try start("endless trailers")
    defer { server.stop() }
    let response = rawResponse(port: server.port, path: "/", limit: 2_000_000)
    expect(
      response,
      isOpenAfter: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n",
      then: "X: y\r\n")
  }

  @Test func sendsTheHeadInSmallPieces() throws {
    let server = try start("drips the head")
    defer { server.stop() }
    let response = rawResponse(port: server.port, path: "/", limit: 8)
    expect(response, isOpenAfter: "HTTP/1.1 200 OK\r\nConnection: close\r\nX-More: ", then: "x")
    // The whole head has 10,000 bytes, and takes a quarter of an hour.
    #expect(response.text.utf8.count < 5_000)
  }

  @Test func sendsTheBodyInSmallPieces() throws {
    let server = try start("drips the body")
    defer { server.stop() }
    let head = Self.headOfAnEndlessBody
    let response = rawResponse(port: server.port, path: "/", limit: head.utf8.count + 3)
    expect(response, isOpenAfter: head, then: " ")
    #expect(response.text.utf8.count < 5_000)
  }

  private static let headOfAnEndlessBody =
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n"

  /// Expects a text, and then another one again and again.
  private func expect(_ response: RawResponse, isOpenAfter text: String, then rest: String) {
    #expect(response.end == .open)
    let count = response.text.utf8.count
    let endless = text + String(repeating: rest, count: count / rest.utf8.count + 1)
    // The texts are too long for a message.
    let agree = endless.utf8.prefix(count).elementsEqual(response.text.utf8)
    #expect(agree, "it begins with \(response.text.prefix(100))")
  }

  @Test func endsItsConnectionsWhenItStops() throws {
    let (hasRequest, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try RunningBadServer(
      BadServer(
        "waits", "It waits.",
        .respond { connection in
          hasRequest.signal()
          connection.waitForClose()
          hasEnded.signal()
        }), .fromTheStart)
    let port = server.port
    // The client waits longer than this test.
    Thread.detachNewThread { _ = rawResponse(port: port, path: "/", patience: 600) }
    #expect(hasRequest.wait(timeout: .now() + 60) == .success)
    server.stop()
    #expect(hasEnded.wait(timeout: .now() + 60) == .success)
    #expect(rawResponse(port: port, path: "/") == RawResponse(end: .refused))
  }
}
