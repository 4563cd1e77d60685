import Foundation
import ServerTestSupport
import Testing

/// Requests that are too large, or that aren't HTTP, are refused with a reason.
@Suite struct RequestLimitTests {
  /// Sends each text on a connection of its own.
  ///
  /// - Returns: The status and the body of each response, and the end of its connection if the
  ///   server didn't close it.
  private func responses(_ base: String, to requests: [String]) throws -> [String] {
    try requests.map { request in
      let connection = try RawConnection(to: base)
      connection.send(request)
      let received = connection.read()
      return received.summary + (received.end == .closed ? "" : " (\(received.end))")
    }
  }

  private func get(_ uri: String, _ fields: String...) -> String {
    "GET \(uri) HTTP/1.1\r\nHost: a\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
  }

  private func post(_ body: String, _ fields: String...) -> String {
    "POST /users HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
      + fields.map { "\($0)\r\n" }.joined() + "\r\n\(body)"
  }

  private func refusal(_ status: Int, _ reason: String) -> String {
    #"\#(status) {"error":true,"reason":"\#(reason)"}"#
  }

  private func text(_ character: Character, _ count: Int) -> String {
    String(repeating: character, count: count)
  }

  @Test func aHeadThatIsTooLargeIsRefused() throws {
    let server = try RunningServer()
    let tooLarge = refusal(431, "the head has more than 16 KiB or 100 fields")
    #expect(
      try responses(
        server.base,
        to: [
          get("/headline?" + text("q", 2038)), get("/headline?" + text("q", 2039)),
          get("/" + text("p", 200_000)),
          get("/headline", "A: " + text("a", 16_000)), get("/headline", "A: " + text("a", 16_384)),
          get("/headline", "A: " + text("a", 60_000)), get("/headline", text("a", 60_000) + ": a"),
          "GET /headline HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: a\r\n", count: 99)
            + "\r\n",
          "GET /headline HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: a\r\n", count: 100)
            + "\r\n",
          // Endless fields, without the end of the head.
          "GET /headline HTTP/1.1\r\nHost: a\r\n" + String(repeating: "A: a\r\n", count: 100_000),
        ]) == [
          "200 Engine weaves algebra", refusal(414, "the URI is longer than 2048 bytes"),
          tooLarge,
          "200 Engine weaves algebra", tooLarge, tooLarge, tooLarge,
          "200 Engine weaves algebra", tooLarge, tooLarge,
        ])
  }

  @Test func theNameOfARunIsShortAndPlain() throws {
    let server = try RunningServer()
    let refused = refusal(400, "Scenario-Run isn't the name of a run")
    #expect(
      try responses(
        server.base,
        to: [
          get("/headline", "Scenario-Run: 0123456789abcdef"),
          get("/headline", "Scenario-Run: " + text("r", 64)),
          get("/headline", "Scenario-Run: " + text("r", 65)),
          get("/quote/lost-once", "Scenario-Run: " + text("r", 15_000)),
          get("/headline", "Scenario-Run: a", "Scenario-Run: b"),
          get("/headline", "Scenario-Run: a b"), get("/headline", "Scenario-Run:"),
          get("/todos", "Scenario-Run: \u{E9}"),
        ]) == [
          "200 Engine weaves algebra", "200 Engine weaves algebra", refused, refused, refused,
          refused, refused, refused,
        ])
  }

  /// The server doesn't wait for the body, which never comes.
  @Test func aBodyIsRefusedByItsContentLength() throws {
    let server = try RunningServer()
    let tooLarge = refusal(413, "the body is larger than 64 KiB")
    #expect(
      try responses(
        server.base,
        to: [
          post("", "Content-Length: 65537"), post("", "Content-Length: 9999999999"),
          post("", "Content-Length: 65537", "Expect: 100-continue"),
          "GET /headline HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
          "GET /headline HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
          post("", "Content-Length: 99999999999999999999"), post("", "Content-Length: -1"),
          "HEAD /headline HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n",
        ]) == [
          tooLarge, tooLarge, tooLarge, tooLarge, "200 Engine weaves algebra",
          refusal(400, "this isn't a valid HTTP/1.1 request"),
          refusal(400, "this isn't a valid HTTP/1.1 request"), "413 ",
        ])
  }

  @Test func aBodyInChunksIsRefusedWhenItIsTooLong() throws {
    let server = try RunningServer()
    let one = "1\r\nx\r\n"
    #expect(
      try responses(
        server.base,
        to: [
          // It has no end.
          post(String(repeating: one, count: 65_537), "Transfer-Encoding: chunked"),
          post(
            String(repeating: one, count: 65_536) + "0\r\n\r\n", "Transfer-Encoding: chunked"),
          post("zz\r\n", "Transfer-Encoding: chunked"),
          post("0\r\n" + String(repeating: "A: a\r\n", count: 101), "Transfer-Encoding: chunked"),
        ]) == [
          refusal(413, "the body is larger than 64 KiB"),
          refusal(400, "the body isn't a JSON object"),
          refusal(400, "this isn't a valid HTTP/1.1 request"),
          refusal(431, "the head has more than 16 KiB or 100 fields"),
        ])
  }

  /// A client that announces its body sends it after the server's consent.
  @Test func anExpectedBodyIsAskedFor() throws {
    let server = try RunningServer()
    let connection = try RawConnection(to: server.base)
    connection.send(post("", "Content-Length: 2", "Expect: 100-continue"))
    let consent = "HTTP/1.1 100 Continue\r\n\r\n"
    #expect(connection.read(count: consent.utf8.count).text == consent)
    connection.send("{}")
    #expect(connection.read().summary == refusal(400, "name is missing"))
  }

  @Test func anythingThatIsNotHTTPIsRefused() throws {
    let server = try RunningServer()
    let invalid = refusal(400, "this isn't a valid HTTP/1.1 request")
    #expect(
      try responses(
        server.base,
        to: [
          "GET /headline\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "FROB / HTTP/1.1\r\n\r\n",
          get("headline"), get("/head\0line"), get("/headline", "A b: c"),
          get("/headline", "A: a\0b"), get("/headline", "no colon"),
          post("0\r\n\r\n", "Content-Length: 5", "Transfer-Encoding: chunked"),
          post("12345", "Content-Length: 4", "Content-Length: 5"),
          "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}",
        ]) == Array(repeating: invalid, count: 11))
  }

  /// RFC 9112, section 3.2: without it, or with two, a request has no clear host.
  @Test func aRequestNeedsOneHost() throws {
    let server = try RunningServer()
    let refused = refusal(400, "an HTTP/1.1 request needs one Host field, with a host in it")
    #expect(
      try responses(
        server.base,
        to: [
          "GET /headline HTTP/1.1\r\n\r\n", "GET /headline HTTP/1.1\r\nHost:\r\n\r\n",
          get("/headline", "Host: a"), get("/headline", "host: b"),
          "GET /headline HTTP/1.1\r\nHost: a b\r\n\r\n",
          "GET /headline HTTP/1.1\r\nHost: a/b\r\n\r\n",
          "GET /headline HTTP/1.1\r\nHost: u@a\r\n\r\n",
          "GET /headline HTTP/1.1\r\nHost: a:x\r\n\r\n",
          "POST /users HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",
          "GET /headline HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        ]) == Array(repeating: refused, count: 10))
    #expect(
      try responses(
        server.base,
        to: [
          get("/headline"), "GET /headline HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n",
          "GET /headline HTTP/1.1\r\nHost: example.com:80\r\n\r\n",
          // Older than the field.
          "GET /headline HTTP/1.0\r\n\r\n",
        ]) == Array(repeating: "200 Engine weaves algebra", count: 4))
  }

  /// RFC 9112, section 6.1: a coding that the server doesn't know gets 501.
  @Test func onlyChunkedIsAKnownCoding() throws {
    let server = try RunningServer()
    let unknown = refusal(501, "the only Transfer-Encoding that this server knows is chunked")
    let invalid = refusal(400, "this isn't a valid HTTP/1.1 request")
    let end = "0\r\n\r\n"
    #expect(
      try responses(
        server.base,
        to: [
          post(end, "Transfer-Encoding: gzip, chunked"),
          post(end, "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"),
          post(end, "Transfer-Encoding: chunked, chunked"),
          post(end, "Transfer-Encoding: gzip"), post(end, "Transfer-Encoding: identity"),
          post(end, "Transfer-Encoding: chunked, gzip"),
          "POST /users HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(end)",
          post("2\r\n{}\r\n\(end)", "Transfer-Encoding: Chunked"),
        ]) == [
          unknown, unknown, invalid, invalid, invalid, invalid, invalid,
          refusal(400, "name is missing"),
        ])
  }

  /// RFC 9112, section 7.1: sizes may be larger than any number. The bytes never come.
  @Test func aChunkThatIsTooLargeIsRefusedByItsSize() throws {
    let server = try RunningServer()
    let tooLarge = refusal(413, "the body is larger than 64 KiB")
    let sizes = [
      "10001", "8000000000000000", "7fffffffffffffff", "FFFFFFFFFFFFFFFF", "10000000000000000",
      text("f", 100), "10001;name=value", "00000000000000000000000010001",
      // The first one is small.
      "2\r\n{}\r\n10001",
    ]
    #expect(
      try responses(
        server.base,
        to: sizes.map { post("\($0)\r\n", "Transfer-Encoding: chunked") }
          + [post("8000000000000000", "Transfer-Encoding: chunked")])
        == Array(repeating: tooLarge, count: sizes.count + 1))
    #expect(
      try responses(
        server.base,
        to: [post("00000000000000000002;a=b\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked")])
        == [refusal(400, "name is missing")])
  }

  /// The server doesn't take half a body for a whole one.
  @Test func anIncompleteRequestIsRefused() throws {
    let server = try RunningServer()
    for request in ["GET /headl", post(#"{"name":"Eve"}"#, "Content-Length: 1000")] {
      let connection = try RawConnection(to: server.base)
      connection.send(request)
      connection.finishSending()
      #expect(connection.read().summary == refusal(400, "the request isn't complete"))
    }
    // A client may be done with sending, and wait for the response.
    let connection = try RawConnection(to: server.base)
    connection.send(get("/headline"))
    connection.finishSending()
    #expect(connection.read().summary == "200 Engine weaves algebra")
  }

  /// A connection carries one request. The others aren't performed, and the first isn't lost.
  @Test func pipelinedRequestsAreDropped() throws {
    let server = try RunningServer()
    let many = String(repeating: get("/headline"), count: 5_000)
    let connection = try RawConnection(to: server.base)
    connection.send(many)
    let received = connection.read()
    #expect(received.text.components(separatedBy: "HTTP/1.1 ").count == 2)
    #expect(received.summary == "200 Engine weaves algebra")
    #expect(received.end == .closed)
  }

  @Test func otherMethodsAndFormsOfAURIAreHandled() throws {
    let server = try RunningServer()
    let nothing = refusal(404, "there's nothing at this path")
    #expect(
      try responses(
        server.base,
        to: [
          "HEAD /headline HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD /todos HTTP/1.1\r\nHost: a\r\n\r\n",
          "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
          "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
          get("http://example.com/headline"), get("/../../etc/passwd"), get("/%ff%00%zz/..%2f"),
          "TRACE /headline HTTP/1.1\r\nHost: a\r\n\r\n", "GET /headline HTTP/1.0\r\n\r\n",
        ]) == [
          "200 ", "405 ", nothing, nothing, "200 Engine weaves algebra", nothing, nothing, nothing,
          "200 Engine weaves algebra",
        ])
  }

  /// Nested arrays could use up the stack of a parser that calls itself.
  @Test func strangeJSONIsRefused() throws {
    let server = try RunningServer()
    let notAnObject = refusal(400, "the body isn't a JSON object")
    let bodies = [
      text("[", 60_000), String(repeating: #"{"name":"#, count: 8_000),
      #"{"name":"# + text("[", 30_000) + text("]", 30_000) + "}", #"{"name":"# + text("9", 60_000),
      #"{"name":1e999999999}"#, #"{"name":"a"# + "\0" + #"b"}"#, #"{"name":"\ud800"}"#,
      #"{"name":""# + text("\\", 60_001),
    ]
    #expect(
      try responses(server.base, to: bodies.map { post($0, "Content-Length: \($0.utf8.count)") })
        == Array(repeating: notAnObject, count: bodies.count))
    #expect(try responses(server.base, to: [get("/headline")]) == ["200 Engine weaves algebra"])
  }
}
