import Foundation
import Testing
import VirtualTime

@testable import StubNetwork

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server or a proxy sends if something goes wrong, as whole responses.
@Suite struct FaultyResponseTests {
  private static let page = "<html>Something went wrong.</html>"

  private static let pageHeaders = ["Content-Type": "text/html", "Content-Length": "34"]

  /// A response with everything that describes its body.
  private func user(
    _ status: Int = 200, _ changes: [String: String?] = [:], chunks: [StubResponse.Chunk]? = nil,
    after latency: VirtualTime.Interval = .milliseconds(100), end: StubResponse.End = .finish
  ) -> StubResponse {
    var headers = [
      "Content-Type": "application/json", "Content-Length": "14", "ETag": "\"1\"",
      "Set-Cookie": "sid=42", "Link": "</2>; rel=\"next\"",
    ]
    for (name, value) in changes { headers[name] = value }
    return .chunked(
      status: status, headers: headers, chunks: chunks ?? [.init(#"{"name":"Ada"}"#)],
      latency: latency, end: end)
  }

  @Test func aPageOfHTMLHasHeadersOfItsOwn() {
    let page = StubResponse.chunked(
      headers: Self.pageHeaders, chunks: [.init(Self.page)], latency: .milliseconds(100))
    #expect(user().with(.malformedBody, to: "GET") == page)
    #expect(user(201).with(.malformedBody, to: "GET") == page)
    #expect(
      user(404).with(.malformedBody, to: "GET")
        == .chunked(
          status: 404, headers: Self.pageHeaders, chunks: [.init(Self.page)],
          latency: .milliseconds(100)))
    #expect(user(204, chunks: []).with(.malformedBody, to: "GET") == page)
    // It doesn't break, and it isn't faster than the body it replaces.
    let late = user(
      chunks: [.init("{", after: .seconds(9))], end: .fail(.networkConnectionLost))
    #expect(
      late.with(.malformedBody, to: "POST")
        == .chunked(
          headers: Self.pageHeaders, chunks: [.init(Self.page)], latency: .milliseconds(100),
          end: .finish(after: .seconds(9))))
    #expect(
      user(chunks: []).with(.malformedBody, to: "HEAD")
        == .chunked(headers: Self.pageHeaders, latency: .milliseconds(100)))
  }

  @Test(arguments: [500, 404, 403])
  func anErrorHasTheBodyOfTheSuccess(status: Int) {
    #expect(user().with(.status(status), to: "GET") == user(status, ["Set-Cookie": nil]))
    let chunks = [StubResponse.Chunk("{}", after: .seconds(1))]
    #expect(
      user(200, ["Content-Length": nil], chunks: chunks).with(.status(status), to: "GET")
        == user(
          status, ["Content-Length": nil, "Set-Cookie": nil], chunks: chunks))
  }

  @Test func aBusyServerSaysWhenToTryAgain() {
    let busy = user(503, ["Set-Cookie": nil, "Retry-After": "5"])
    #expect(user().with(.status(503), to: "GET") == busy)
    #expect(user(200, ["retry-after": "60"]).with(.status(503), to: "GET") == busy)
    #expect(
      user().with(.status(429), to: "GET")
        == user(429, ["Set-Cookie": nil, "Retry-After": "5"]))
  }

  @Test func aServerThatWantsATokenSaysSo() {
    let unauthorized = user(401, ["Set-Cookie": nil, "WWW-Authenticate": "Bearer"])
    #expect(user().with(.status(401), to: "GET") == unauthorized)
    #expect(
      user(200, ["www-authenticate": "Basic"]).with(.status(401), to: "GET") == unauthorized)
    #expect(user(401).with(.status(401), to: "GET") == user(401))
  }

  /// An `http` request is redirected to the portal, which can't pretend to be an `https` server.
  @Test func aPortalRespondsFromItsOwnAddress() {
    let page = "<html>Log in to use this network.</html>"
    let login = StubResponse([
      (
        .milliseconds(100),
        .response(
          status: 200, headers: ["Content-Type": "text/html", "Content-Length": "40"],
          from: URL(string: "http://portal.example/login"))
      ), (.zero, .chunk(Data(page.utf8))), (.zero, .finish),
    ])
    #expect(user().with(.captivePortal, to: "GET", scheme: "http") == login)
    #expect(user(500).with(.captivePortal, to: "GET", scheme: "HTTP") == login)
    #expect(
      user().with(.captivePortal, to: "GET", scheme: "https")
        == .failure(.serverCertificateUntrusted, after: .milliseconds(100)))
  }

  /// The head of such a response may have the length of a body that doesn't come.
  @Test func anErrorInsteadOfAResponseWithoutABodyHasNoLengthOfOne() {
    let empty = StubResponse.status(
      500, headers: ["Content-Length": "0", "ETag": "\"1\""], after: .seconds(1))
    let unchanged = StubResponse.status(
      304, headers: ["Content-Length": "100", "ETag": "\"1\""], after: .seconds(1))
    #expect(unchanged.with(.status(500), to: "GET") == empty)
  }

  @Test(arguments: [204, 304, 301])
  func aStatusWithoutABodyHasNone(status: Int) {
    let headers = ["Content-Type": "text/plain; charset=utf-8"]
    #expect(
      StubResponse.text("Ada", after: .seconds(1)).with(.status(status), to: "GET")
        == .status(status, headers: headers, after: .seconds(1)))
  }

  @Test func anEmptyBodyHasNoLength() {
    #expect(
      user(chunks: [.init("{", after: .seconds(9))]).with(.emptyBody, to: "GET")
        == user(
          200, ["Content-Length": "0"], chunks: [], end: .finish(after: .seconds(9))))
    #expect(
      StubResponse.text("Ada").with(.emptyBody, to: "GET")
        == .status(200, headers: ["Content-Type": "text/plain; charset=utf-8"]))
    // An empty body can't break off.
    #expect(
      user(end: .fail(.networkConnectionLost, after: .seconds(1))).with(.emptyBody, to: "GET")
        == user(
          200, ["Content-Length": "0"], chunks: [], end: .finish(after: .seconds(1))))
  }

  @Test func aLostConnectionKeepsThePromisedLength() {
    #expect(
      user().with(.lost(afterBytes: 7), to: "GET")
        == user(chunks: [.init(#"{"name""#)], end: .fail(.networkConnectionLost)))
    #expect(user().with(.lost(afterBytes: 14), to: "GET") == user())
    // Without a length, the client misses the end.
    #expect(
      StubResponse.text("Ada").with(.lost(afterBytes: 3), to: "GET")
        == .chunked(
          headers: ["Content-Type": "text/plain; charset=utf-8"], chunks: [.init("Ada")],
          end: .fail(.networkConnectionLost)))
  }

  @Test func whatNeverArrivesHasNoResponse() {
    #expect(
      user().with(.refused, to: "GET")
        == .failure(.cannotConnectToHost, after: .milliseconds(100)))
    #expect(user().with(.timedOut, to: "GET") == .failure(.timedOut, after: .seconds(60)))
  }

  @Test(arguments: [NetworkFault.Kind.malformedBody, .emptyBody, .status(500)])
  func aFailureHasNoOtherBody(kind: NetworkFault.Kind) {
    let failure = StubResponse.failure(.networkConnectionLost, after: .seconds(1))
    #expect(failure.with(kind, to: "GET") == failure)
  }

  @Test func aSlowResponseIsTheSameOneLater() {
    let chunks: (Int) -> [StubResponse.Chunk] = {
      [.init("{", after: .seconds(Double($0))), .init("}", after: .seconds(Double(2 * $0)))]
    }
    #expect(
      user(chunks: chunks(1)).afterUpload(in: 4, over: .seconds(1)).with(
        .slow(times: 10), to: "PUT")
        == user(chunks: chunks(10), after: .seconds(1)).afterUpload(in: 4, over: .seconds(10)))
  }

  @Test func anUploadComesBeforeEachResponse() {
    let upload = StubResponse.json("[1, 2]", status: 201).afterUpload(in: 4, over: .seconds(1))
    for kind in [
      NetworkFault.Kind.status(500), .malformedBody, .emptyBody, .lost(afterBytes: 1),
      .slow(times: 2),
    ] {
      #expect(upload.with(kind, to: "POST").upload != nil, "\(kind)")
    }
    #expect(upload.with(.refused, to: "POST").upload == nil)
    #expect(upload.with(.timedOut, to: "POST").upload == nil)
  }

  // MARK: Which faults happen

  private func kinds(_ response: StubResponse, method: String = "GET") -> [String] {
    NetworkFault.all(of: 1, response.received(by: method)).map { "\($0.kind)" }
  }

  @Test func onlyABodyCanBeLostOrEmpty() {
    let all = [
      "is refused", "times out", "is lost after 7 bytes", "gets a 401", "gets a 403",
      "gets a 404", "gets a 429", "gets a 500", "gets a 503", "gets a page of HTML",
      "meets a captive portal", "gets an empty body", "is twice as late", "is 10 times as slow",
    ]
    let withoutBody = all.filter { !$0.contains("lost") && !$0.contains("empty") }
    #expect(kinds(user()) == all)
    #expect(kinds(user(), method: "HEAD") == withoutBody)
    #expect(kinds(user(204)) == withoutBody)
    #expect(kinds(user(304)) == withoutBody)
    // An error that the server sends anyway isn't a fault.
    #expect(kinds(user(404)) == all.filter { $0 != "gets a 404" })
  }

  /// No response with a fault is one that a session couldn't receive.
  @Test(arguments: ["GET", "HEAD", "POST"])
  func noFaultIsRefused(method: String) {
    let responses = [
      user(), user(204), user(304), user(200, ["Content-Length": nil]),
      user(404), .status(200), .text("a"), user(chunks: [.init("{")], end: .fail(.timedOut)),
    ]
    for response in responses.filter({ $0.refusal(to: method) == nil }) {
      for fault in NetworkFault.all(of: 1, response.received(by: method)) {
        for scheme in ["http", "https"] {
          let changed = response.received(by: method)
            .with(fault.kind, to: method, scheme: scheme)
          #expect(changed.refusal(to: method) == nil, "\(fault) of \(response)")
        }
      }
    }
  }
}
