import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

/// What a session under a stub does as a real one does on Linux. Each fact is tested in both, with
/// a server on this machine, so that they can't drift apart.
@Suite struct RealSessionTests {
  private typealias Answer = BothSessions.Answer
  private typealias Call = BothSessions.Call

  // MARK: Responses

  @Test(arguments: ["HEAD", "GET", "POST"], [200, 204, 301, 302, 304, 307, 404, 500])
  func onlySomeResponsesHaveABody(method: String, status: Int) async throws {
    let hasBody = method != "HEAD" && [200, 404, 500].contains(status)
    let both = try await BothSessions([Call(method: method)]) { _ in
      Answer(
        status: status, headers: ["Content-Length": "2", "Content-Type": "application/json"],
        body: "{}")
    }
    #expect(both.stub == both.real)
    #expect(
      both.stub == [
        "\(method) /",
        "\(status) \(hasBody ? "{}" : ""), length 2, type application/json, url /, "
          + "Content-Length: 2, Content-Type: application/json",
      ])
  }

  @Test func theHeadOfAResponseIsReadTheSameWay() async throws {
    let answers: [String: Answer] = [
      "/plain": Answer(body: "plain"),
      "/page": Answer(
        headers: ["content-type": "Text/HTML; charset=ISO-8859-1", "ETag": "\"1\"", "x-a": "1"],
        body: "plain"),
      "/file": Answer(
        headers: [
          "Content-Disposition": "attachment; filename=\"a b.txt\"", "Content-Length": "5",
        ], body: "plain"),
      "/identity": Answer(headers: ["Content-Encoding": "identity"], body: "plain"),
      "/none": Answer(headers: ["Content-Length": "0"]),
      "/head": Answer(headers: ["Content-Length": "15", "Content-Encoding": "gzip"]),
      "/not-modified": Answer(status: 304, headers: ["Content-Length": "100"]),
      "/choices": Answer(status: 300, headers: ["Location": "/plain"], body: "choose"),
      "/unauthorized": Answer(status: 401, body: "plain"),
      "/own-status": Answer(status: 599, body: "plain"),
    ]
    let calls = answers.keys.sorted().map { Call(path: $0, method: $0 == "/head" ? "HEAD" : "GET") }
    let both = try await BothSessions(calls) { answers[$0] ?? Answer() }
    #expect(both.stub == both.real)
    #expect(both.stub.count == 2 * calls.count)
    #expect(
      both.stub.contains(
        "200 plain, length -1, type text/html, encoding iso-8859-1, url /page, "
          + "Content-Type: Text/HTML; charset=ISO-8859-1, Etag: \"1\", x-a: 1"))
  }

  @Test func aResponseThatNoSessionReceivesIsRefused() {
    let headers = ["Content-Encoding": "gzip", "content-length": "7"]
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    let refused: [(StubResponse, String)] = [
      (
        .text("bytes", headers: headers),
        "a stub can't decode a body (Content-Encoding: gzip): respond with the decoded body, "
          + "without that header"
      ),
      (
        .text("bytes", headers: ["Content-Length": "7"]),
        "the body has 5 bytes, but Content-Length is 7: make them equal, or leave the header out"
      ),
      (
        .text("bytes", headers: ["content-length": "some"]),
        "the body has 5 bytes, but Content-Length is some: make them equal, or leave the header out"
      ),
      (
        .chunked(
          headers: ["Content-Length": "5"], chunks: [.init("bytes")],
          end: .fail(.networkConnectionLost)),
        "the body has 5 bytes with Content-Length: 5, so it's complete before it fails: leave out "
          + "the header, or some bytes"
      ),
      (
        .status(200, headers: ["X-A": "1", "x-a": "2"]),
        "the header fields X-A and x-a are the same one: keep one of them, with both values if you "
          + "need both"
      ),
      (
        .status(103), "a session waits for the response after a 103: respond with that one"
      ),
      (
        .status(302, headers: ["Location": "https://example.com/"]),
        "a redirect (302 with Location) isn't followed under a stub: respond as the final URL would"
      ),
      (
        .status(401, headers: ["www-authenticate": "Basic"]),
        "a stub can't send an authentication challenge (401 with WWW-Authenticate): leave the "
          + "header out, or write Bearer"
      ),
      (
        .status(401, headers: ["WWW-Authenticate": "Bearer, Basic"]),
        "a stub can't send an authentication challenge (401 with WWW-Authenticate): leave the "
          + "header out, or write Bearer"
      ),
    ]
    for (index, (response, _)) in refused.enumerated() {
      network.stub(
        .get, .example("\(index)"), responses: response, fileID: "Test.swift", line: index)
      let recorder = Recorder(clock)
      network.makeSession().dataTaskPublisher(for: .example("\(index)")).subscribe(recorder)
      clock.run()
      #expect(recorder.lines.last == "0 failure resourceUnavailable")
    }
    #expect(
      network.problems
        == refused.enumerated().map { index, refused in
          "request \(index + 1) at 0: the stub of GET https://example.com/\(index) "
            + "(Test.swift:\(index)): \(refused.1)"
        })
  }

  /// A body that breaks off is shorter than it was promised to be.
  @Test func aBodyThatBreaksOffMayHaveItsWholeLength() throws {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.stub(
      .get, "https://example.com/user",
      responses: .chunked(
        headers: ["Content-Length": "50"], chunks: [.init("bytes")],
        end: .fail(.networkConnectionLost)))
    let recorder = Recorder(clock)
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    clock.run()
    #expect(recorder.lines.last == "0 failure networkConnectionLost")
    try network.verify()
  }

  @Test func aTypeInOtherLettersReplacesTheType() {
    #expect(
      StubResponse.json("{}", headers: ["content-type": "text/plain"])
        == .chunked(headers: ["content-type": "text/plain"], chunks: [.init("{}")]))
  }

  // MARK: Requests

  @Test func aServerGetsTheSameURL() async throws {
    let calls = [
      "", "?q=1", "/a?", "/a%7Eb/../c/./d?x=%C3%A9+y&&", "/%2e%2e/x", "/a;b=1#part", "/a/b/..",
      "/../a", "/a/.",
    ].map { Call(path: $0) }
    let both = try await BothSessions(calls) { _ in Answer(body: "ok") }
    #expect(both.stub == both.real)
    #expect(
      stride(from: 0, to: both.stub.count, by: 2).map { both.stub[$0] } == [
        "GET /", "GET /?q=1", "GET /a?", "GET /c/d?x=%C3%A9+y&&", "GET /%2e%2e/x", "GET /a;b=1",
        "GET /a/", "GET /a", "GET /a/",
      ])
  }

  @Test func aServerGetsTheSameHeadersAndBody() async throws {
    let stream: @Sendable (inout URLRequest) -> Void = {
      $0.httpBodyStream = InputStream(data: Data("stream".utf8))
    }
    var calls: [Call] = []
    for method in ["GET", "HEAD", "POST", "post", "PUT", "PATCH", "DELETE", "OPTIONS", "FOO"] {
      calls.append(Call(path: "/none", method: method))
      calls.append(Call(path: "/empty", method: method, body: ""))
      calls.append(Call(path: "/body", method: method, body: "a=b"))
    }
    calls += [
      Call(path: "/typed", method: "POST", headers: ["content-type": "text/plain"], body: "a=b"),
      Call(path: "/upload", method: "POST", upload: "a=b"),
      Call(path: "/upload-put", method: "PUT", body: "request", upload: "a=b"),
      Call(path: "/stream", method: "POST", change: stream),
    ]
    let both = try await BothSessions(calls) { _ in Answer(headers: ["Content-Length": "0"]) }
    #expect(both.stub == both.real)
    #expect(
      both.stub.contains("POST /body, Content-Type: application/x-www-form-urlencoded, body a=b"))
    #expect(both.stub.contains("POST /upload, body a=b"))
    #expect(both.stub.contains("HEAD /body"))
    #expect(both.stub.filter { $0 == "failed dataLengthExceedsMaximum" }.count == 1)
  }

  @Test func aSessionAddsItsHeaders() async throws {
    let calls = [
      Call(path: "/1"), Call(path: "/2", headers: ["x-both": "request", "accept": "text/html"]),
      Call(path: "/3", method: "POST", body: "a=b"),
      Call(path: "/4", method: "POST", headers: ["Content-Type": "text/plain"], body: "a=b"),
    ]
    let both = try await BothSessions(
      calls,
      configure: {
        $0.httpAdditionalHeaders = ["X-Both": "session", "Accept": "a/b", "Content-Type": "c/d"]
      },
      answer: { _ in Answer(headers: ["Content-Length": "0"]) })
    let requests = { (lines: [String]) in
      lines.filter { !$0.hasPrefix("200") }.map { $0.lowercased() }
    }
    #expect(requests(both.stub) == requests(both.real))
    #expect(both.stub.first == "GET /1, Accept: a/b, Content-Type: c/d, X-Both: session")
  }

  @Test func credentialsOfTheURLAreSent() async throws {
    let calls = [
      Call(path: "/1", change: { $0.url = $0.url?.with(user: "us@er", password: "p:w") }),
      Call(path: "/2", change: { $0.url = $0.url?.with(user: "us", password: nil) }),
      Call(
        path: "/3", headers: ["Authorization": "Bearer x"],
        change: { $0.url = $0.url?.with(user: "us", password: "er") }),
    ]
    let both = try await BothSessions(calls) { _ in Answer(headers: ["Content-Length": "0"]) }
    #expect(both.stub == both.real)
    #expect(both.stub.first == "GET /1, Authorization: Basic dXNAZXI6cDp3")
  }

  @Test func otherSchemesFailAsInARealSession() async throws {
    let both = try await BothSessions([
      Call(path: "HTTP://127.0.0.1:1/"), Call(path: "custom://127.0.0.1:1/"),
    ]) { _ in Answer() }
    #expect(both.stub == both.real)
    #expect(both.stub == ["failed unsupportedURL", "failed unsupportedURL"])
  }

  @Test func refusedRequestsAreReported() {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    let session = network.makeSession()
    var request = URLRequest(url: .example("user"))
    request.httpBody = Data("body".utf8)
    session.dataTask(with: request).resume()
    session.dataTask(with: URL(string: "custom://example.com/")!).resume()
    clock.run()
    #expect(
      network.problems == [
        """
        request 1 at 0: a session doesn't send a GET with a body: leave the body out, or use \
        another method
        """,
        "request 2 at 0: a session doesn't know the scheme \"custom\": write http or https",
      ])
  }

  @Test func aServiceIsFoundByWhatAServerSees() throws {
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.serve("https://Example.com:443/api") { _ in .text("ok") }
    let recorder = Recorder(clock)
    network.makeSession()
      .dataTaskPublisher(for: URL(string: "https://example.COM/x/../api/users#part")!)
      .subscribe(recorder)
    clock.run()
    #expect(recorder.lines.contains("0 value 200 ok"))
    try network.verify()
  }
}

extension URL {
  fileprivate func with(user: String, password: String?) -> URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    (parts.user, parts.password) = (user, password)
    return parts.url
  }
}
