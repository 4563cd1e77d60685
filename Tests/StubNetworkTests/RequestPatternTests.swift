import StreamsFoundation
import TestSupport
import Testing
import VirtualTime

@testable import StubNetwork

/// A request that doesn't match always has a reason.
@Suite struct RequestPatternTests {
  private static let url = "https://example.com/a?x=1&y=2"

  private func request(
    _ method: String? = "POST", _ url: String = Self.url, headers: [String: String] = [:],
    body: Data? = nil
  ) -> URLRequest {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body
    return request
  }

  private func mismatches(
    headers: [String: String] = [:], _ body: RequestPattern.Body = .any, with request: URLRequest
  ) -> [String] {
    RequestPattern(.post, URL(string: Self.url)!, headers: headers, body: body)
      .mismatches(with: request).map(\.description)
  }

  private static let urls: [(String, String)] = [
    ("http://example.com/a?x=1&y=2", "scheme is http, not https"),
    ("https://example.org/a?x=1&y=2", "host is example.org, not example.com"),
    ("https://example.com:8443/a?x=1&y=2", "port is 8443, not missing"),
    ("https://example.com/a/?x=1&y=2", "path is /a/, not /a"),
    ("https://example.com/A?x=1&y=2", "path is /A, not /a"),
    ("https://example.com/%61?x=1&y=2", "path is /%61, not /a"),
    ("https://example.com/a?y=2&x=1", "query is y=2&x=1, not x=1&y=2"),
    ("https://example.com/a?x=1&y=2&y=2", "query is x=1&y=2&y=2, not x=1&y=2"),
    ("https://example.com/a?x=1&y=", "query is x=1&y=, not x=1&y=2"),
    ("https://example.com/a", "query is missing, not x=1&y=2"),
  ]

  @Test(arguments: urls)
  func eachPartOfAURLIsNamed(url: String, reason: String) {
    #expect(mismatches(with: request("POST", url)) == [reason])
  }

  /// A server gets the same request.
  @Test(arguments: [
    "https://example.com:443/a?x=1&y=2", "https://me@example.com/a?x=1&y=2",
    "https://me:a@example.com/a?x=1&y=2", "https://example.com/a?x=1&y=2#end",
    "HTTPS://EXAMPLE.com/a?x=1&y=2", "https://example.com/./c/../a?x=1&y=2",
  ])
  func aURLThatIsTheSameForAServerMatches(url: String) {
    #expect(mismatches(with: request("POST", url)) == [])
  }

  @Test func anEmptyQueryIsNotNone() {
    let pattern = RequestPattern(.get, URL(string: "https://example.com/a")!)
    #expect(
      pattern.mismatches(with: request("GET", "https://example.com/a?")).map(\.description)
        == ["query is , not missing"])
  }

  @Test func theMethodIsNamed() {
    #expect(mismatches(with: request("PUT")) == ["method is PUT, not POST"])
    // Foundation writes the usual methods in capitals.
    #expect(mismatches(with: request("post")) == [])
    // On Linux, a request without a method has GET.
    #expect(mismatches(with: request(nil)) == ["method is GET, not POST"])
  }

  @Test func eachHeaderIsNamed() {
    #expect(
      mismatches(
        headers: ["a": "1", "B": "2", "c": "3"], with: request(headers: ["A": "one", "b": "2"]))
        == ["header a is one, not 1", "header c is missing, not 3"])
    #expect(mismatches(headers: ["a": ""], with: request()) == ["header a is missing, not "])
  }

  private static let bodies: [(RequestPattern.Body, Data?, String)] = [
    (.empty, Data("x".utf8), #"body is "x", not empty"#),
    (.empty, Data([0xff]), "body is 1 byte, not empty"),
    (.text("a"), Data("b".utf8), #"body is "b", not "a""#),
    (.text("a"), nil, #"body is "", not "a""#),
    (.text(""), Data("b".utf8), #"body is "b", not """#),
    (.text("a"), Data([0xff]), #"body is 1 byte, not "a""#),
    (.data(Data([0xff])), Data([0xff, 0]), "body is 2 bytes, not 1 byte"),
    // Of equal length.
    (
      .data(Data([0xff, 0xd8, 1, 2])), Data([0xff, 0xd8, 1, 3]),
      "body from byte 4 on is 03, not 02"
    ),
    (
      .data(Data([0xff, 1, 2, 3, 4, 5, 6])), Data([0xff, 0xfe, 2, 3, 4, 5, 6]),
      "body from byte 2 on is fe 02 03 04, not 01 02 03 04"
    ),
    // The same text for a reader and for `==`, in other bytes.
    (.text("\u{e9}"), Data("e\u{301}".utf8), "body from byte 1 on is 65 cc 81, not c3 a9"),
    (.text("a\u{e9}"), Data("ae\u{301}".utf8), "body from byte 2 on is 65 cc 81, not c3 a9"),
    (.json("[1]"), Data("[2]".utf8), #"body is "[2]", not "[1]""#),
    (.json("[1]"), Data("[1".utf8), #"body is "[1" (not JSON), not "[1]""#),
    (.json("[1]"), nil, #"body is "" (not JSON), not "[1]""#),
    (.json("{}"), Data([0xff]), #"body is 1 byte (not JSON), not "{}""#),
    (
      .json("{a:1}"), Data("{a:1}".utf8),
      #"body is "{a:1}", not "{a:1}", which isn't JSON, so that no body can match"#
    ),
  ]

  @Test(arguments: bodies)
  func eachKindOfBodyIsNamed(pattern: RequestPattern.Body, body: Data?, reason: String) {
    #expect(mismatches(pattern, with: request(body: body)) == [reason])
  }

  /// What decides about a match and what explains it never disagree.
  @Test func aRequestThatDoesNotMatchHasAReason() {
    var random = SplitMix64(seed: 15)
    func one<Value>(of values: [Value]) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    let urls = [
      "https://example.com", "https://example.com/", "https://example.com/?",
      "https://example.com/a", "https://example.com/a?b", "https://example.com/a?b=",
      "https://example.com/a?b=&b=",
      "https://example.com/a#b", "https://me@example.com/a", "HTTPS://example.com/a",
      "https://EXAMPLE.com/a", "https://example.com:443/a", "https://example.com/a%20b",
      "https://example.com/%C3%A9", "https://example.com/e%CC%81", "data:,a", "/relative",
    ]
    let bytes = [
      Data(), Data("a".utf8), Data([0xff]), Data([0xfe]), Data("1".utf8), Data("1.0".utf8),
      Data("{a:1}".utf8), Data("\u{e9}".utf8), Data("e\u{301}".utf8), Data("true".utf8),
    ]
    let texts = bytes.compactMap { String(data: $0, encoding: .utf8) }
    var matches = 0
    for _ in 0..<20_000 {
      let bodies: [RequestPattern.Body] = [
        .any, .empty, .data(one(of: bytes)), .text(one(of: texts)), .json(one(of: texts)),
      ]
      let pattern = RequestPattern(
        one(of: [.get, .post, "get"]), URL(string: one(of: urls))!,
        headers: one(of: [[:], ["a": ""], ["a": "\u{e9}"], ["a": "e\u{301}"]]),
        body: one(of: bodies))
      let request = request(
        one(of: ["GET", "POST", "get"]), one(of: urls),
        headers: one(of: [[:], ["A": ""], ["a": "\u{e9}"], ["A": "e\u{301}"]]),
        body: one(of: bytes))
      let isMatch =
        pattern.canonicalURL == request.url?.canonicalString && pattern.matchesExceptURL(request)
      let reasons = pattern.mismatches(with: request)
      if isMatch { matches += 1 }
      guard isMatch == reasons.isEmpty, reasons.allSatisfy({ $0.expected != $0.actual }) else {
        Issue.record("\(pattern) \(pattern.body), \(request.summary): \(isMatch), \(reasons)")
        return
      }
    }
    #expect(matches > 50)
  }

  // MARK: Patterns that nothing can match

  @Test(arguments: ["{a:1}", "", "[1", "hello"])
  func aPatternThatIsNotJSONIsReportedWhenTheStubIsMade(text: String) {
    let failures = Locked<[String]>([])
    let network = StubNetwork(clock: VirtualTimeScheduler()) { failure in
      failures.withLock { $0.append(failure) }
    }
    network.stub(
      .post, Self.url, body: .json(text), responses: .status(200), fileID: "Test.swift", line: 7)
    #expect(
      failures.withLock { $0 } == [
        "no request can match the stub of POST \(Self.url) (Test.swift:7): the pattern's body isn't "
          + "JSON: \"\(text)\""
      ])
  }

  @Test(arguments: ["{}", "1", "true", "null", #""text""#, #"{"a": [1, 2.5, "\u00e9"]}"#])
  func aPatternThatIsJSONIsFine(text: String) {
    let network = StubNetwork(clock: VirtualTimeScheduler()) { Issue.record("\($0)") }
    network.stub(.post, Self.url, body: .json(text), responses: .status(200))
    #expect(mismatches(.json(text), with: request(body: Data(text.utf8))) == [])
  }
}
