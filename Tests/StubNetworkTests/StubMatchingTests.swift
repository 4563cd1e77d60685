import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

@Suite struct StubMatchingTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  /// Makes a request and returns its result: status and body, or the error.
  private func load(
    _ path: String = "user", _ change: (inout URLRequest) -> Void = { _ in }
  ) -> String {
    var request = URLRequest(url: .example(path))
    change(&request)
    let recorder = Recorder(clock)
    network.makeSession().dataTaskPublisher(for: request).subscribe(recorder)
    clock.run()
    return String(recorder.lines[1].drop { $0 != " " }.dropFirst())
  }

  @Test func responsesComeInOrder() throws {
    network.stub(
      .get, "https://example.com/user", responses: .text("one"), .status(503), .text("three"))
    #expect([load(), load(), load()] == ["value 200 one", "value 503 ", "value 200 three"])
    try network.verify()
  }

  @Test func aMissingResponseIsAProblem() {
    network.stub(
      .get, "https://example.com/user", responses: .text("one"), fileID: "Test.swift", line: 7)
    #expect([load(), load()] == ["value 200 one", "failure resourceUnavailable"])
    #expect(
      network.problems == [
        """
        request 2 at 0: GET https://example.com/user was made 2 times, but the stub of \
        GET https://example.com/user (Test.swift:7) has 1 response: add one, or make the last \
        one `.repeating`
        """
      ])
  }

  @Test func aRepeatingResponseIsNeverUsedUp() throws {
    network.stub(
      .get, "https://example.com/user", responses: .text("one"), .text("on and on").repeating)
    #expect(
      [load(), load(), load()]
        == ["value 200 one", "value 200 on and on", "value 200 on and on"])
    try network.verify()
  }

  @Test func unusedResponsesAreProblems() {
    network.stub(
      .get, "https://example.com/user", responses: .text("one"), .text("two"), .text("three"),
      fileID: "Test.swift", line: 7)
    network.stub(
      .get, "https://example.com/never", responses: .text("").repeating, fileID: "Test.swift",
      line: 8)
    _ = load()
    #expect(
      network.problems == [
        """
        the stub of GET https://example.com/user (Test.swift:7) has 2 unused responses: \
        it got 1 request
        """,
        "the stub of GET https://example.com/never (Test.swift:8) never got a request",
      ])
    #expect(throws: StubNetworkFailure(problems: network.problems)) { try network.verify() }
  }

  @Test func methodHeadersAndBodyAreMatched() throws {
    network.stub(
      .post, "https://example.com/user", headers: ["x-kind": "a"], body: .json(#"{"b":1,"a":[2]}"#),
      responses: .text("json"))
    network.stub(
      .post, "https://example.com/user", headers: ["x-kind": "b"], body: .text("hello"),
      responses: .text("text"))
    network.stub("PURGE", "https://example.com/user", body: .empty, responses: .text("purge"))
    let results = [
      load {
        $0.httpMethod = "POST"
        $0.setValue("a", forHTTPHeaderField: "X-Kind")
        $0.httpBody = Data(#"{ "a": [2], "b": 1 }"#.utf8)
      },
      load {
        $0.httpMethod = "POST"
        $0.setValue("b", forHTTPHeaderField: "X-Kind")
        $0.httpBodyStream = InputStream(data: Data("hello".utf8))
      },
      load { $0.httpMethod = "PURGE" },
    ]
    #expect(results == ["value 200 json", "value 200 text", "value 200 purge"])
    try network.verify()
  }

  @Test func aStubTakesAURL() throws {
    network.stub(
      .post, .example("user"), headers: ["x-kind": "a"], body: .text("hello"),
      responses: .text("one"), .text("two"), fileID: "Test.swift", line: 7)
    let change = { @Sendable (request: inout URLRequest) in
      request.httpMethod = "POST"
      request.setValue("a", forHTTPHeaderField: "X-Kind")
      request.httpBody = Data("hello".utf8)
    }
    #expect(load("user", change) == "value 200 one")
    #expect(
      network.problems == [
        """
        the stub of POST https://example.com/user (Test.swift:7) has 1 unused response: it got \
        1 request
        """
      ])
    #expect(load("user", change) == "value 200 two")
    try network.verify()
    #expect(load() == "failure resourceUnavailable")
    #expect(
      network.problems == [
        """
        request 3 at 0: GET https://example.com/user matches no stub; the nearest is the stub of \
        POST https://example.com/user (Test.swift:7): method is GET, not POST, header x-kind is \
        missing, not a, body is "", not "hello"
        """
      ])
  }

  @Test func anUnmatchedRequestNamesTheNearestStubAndWhatDiffers() {
    network.stub(
      .get, "https://example.com/users?page=1", responses: .text(""), fileID: "Test.swift", line: 7)
    network.stub(
      .post, "https://example.com/user", headers: ["Accept": "text/html"], body: .text("hi"),
      responses: .text(""), fileID: "Test.swift", line: 8)
    #expect(load("users?page=2") == "failure resourceUnavailable")
    _ = load {
      $0.httpMethod = "POST"
      $0.httpBody = Data([0xFF, 0xFE])
    }
    #expect(
      network.problems.prefix(2) == [
        """
        request 1 at 0: GET https://example.com/users?page=2 matches no stub; the nearest is the \
        stub of GET https://example.com/users?page=1 (Test.swift:7): query is page=2, not page=1
        """,
        """
        request 2 at 0: POST https://example.com/user matches no stub; the nearest is the \
        stub of POST https://example.com/user (Test.swift:8): header Accept is missing, not \
        text/html, body is 2 bytes, not "hi"
        """,
      ])
    #expect(
      network.events.prefix(3).map(\.description) == [
        "0 request 1: GET https://example.com/users?page=2",
        """
        0 request 1: failed: no response: GET https://example.com/users?page=2 matches no stub; the nearest is \
        the stub of GET https://example.com/users?page=1 (Test.swift:7): query is page=2, not \
        page=1
        """,
        "0 request 1: failed: resourceUnavailable",
      ])
  }

  /// Returns the line of the stub that is named as the nearest to a request for `user`.
  ///
  /// - Parameter stubs: Adds the stubs, whose lines are 1, 2, and so on.
  private func lineOfNearest(
    to method: String = "GET", path: String = "user?page=2", body: String = "",
    _ stubs: RequestPattern...
  ) -> String {
    for (index, pattern) in stubs.enumerated() {
      network.stub(
        pattern, responses: [.status(200)], fileID: "Test.swift", line: index + 1)
    }
    _ = load(path) {
      $0.httpMethod = method
      if !body.isEmpty { $0.httpBody = Data(body.utf8) }
    }
    let problem = network.problems.first ?? ""
    return String(problem.firstMatch(of: /nearest is the stub of .* \((Test.*?)\)/)?.1 ?? "none")
  }

  @Test func ifOnlyTheMethodIsWrongTheNearestStubDiffersInTheMethod() {
    #expect(
      lineOfNearest(
        RequestPattern(.get, .example("user?page=1")), RequestPattern(.get, .example("user")),
        RequestPattern(.post, .example("user?page=2"), headers: ["a": "b"], body: .text("hi")),
        RequestPattern(.post, .example("user?page=2")),
        RequestPattern(.get, .example("users?page=2"))) == "Test.swift:4")
    #expect(
      network.problems.first == """
        request 1 at 0: GET https://example.com/user?page=2 matches no stub; the nearest is the \
        stub of POST https://example.com/user?page=2 (Test.swift:4): method is GET, not POST
        """)
  }

  @Test func ofTheStubsOfAURLTheNearestHasTheSameMethod() {
    #expect(
      lineOfNearest(
        to: "POST", body: "hello",
        RequestPattern(.get, .example("user?page=2")),
        RequestPattern(.post, .example("user?page=2"), headers: ["a": "b"], body: .text("hi")),
        RequestPattern(.post, .example("user?page=2"), body: .text("hi"))) == "Test.swift:3")
  }

  @Test(arguments: [
    // The page differs; the host and the path differ more.
    ("user?page=2", "user?page=1", "users", 1),
    // A typo is nearer than another endpoint, whatever the methods.
    ("usr", "orders", "user", 2), ("users/7/posts", "users/8/posts", "users/7", 1),
    // Of two that are equally near, the first.
    ("user", "users", "usera", 1),
  ])
  func theNearestStubHasTheMostSimilarURL(
    path: String, first: String, second: String, nearest: Int
  ) {
    #expect(
      lineOfNearest(
        to: "POST", path: path, RequestPattern(.post, .example(first)),
        RequestPattern(.post, .example(second))) == "Test.swift:\(nearest)")
  }

  @Test func withoutStubsNoNearestStubIsNamed() {
    #expect(load() == "failure resourceUnavailable")
    #expect(
      network.problems == [
        "request 1 at 0: GET https://example.com/user matches no stub: the network has none"
      ])
  }

  @Test func theFirstOfTwoMatchingStubsRespondsAndTheAmbiguityIsAProblem() {
    network.stub(
      .get, "https://example.com/user", responses: .text("first").repeating, fileID: "Test.swift",
      line: 7)
    network.stub(
      .get, "https://example.com/user", headers: ["a": "b"], responses: .text("second").repeating,
      fileID: "Test.swift", line: 8)
    for _ in 1...2 {
      #expect(load { $0.setValue("b", forHTTPHeaderField: "A") } == "value 200 first")
    }
    #expect(
      network.problems == [
        """
        GET https://example.com/user matches the stub of GET https://example.com/user \
        (Test.swift:7) and the stub of GET https://example.com/user (Test.swift:8): make one \
        of them narrower; the first one responded
        """,
        "the stub of GET https://example.com/user (Test.swift:8) never got a request",
      ])
  }

  @Test func anEmptyPathIsTheRoot() throws {
    network.stub(.get, "https://example.com", responses: .text("root"))
    #expect(load("") == "value 200 root")
    try network.verify()
  }

  // MARK: Stubs that end the program

  enum Mistake: String, CaseIterable, Codable {
    case relativeURL = """
      "/users" isn't an absolute URL. Write one, such as https://example.com/users (Test.swift:7)
      """
    case relativeService = """
      "example.com" isn't an absolute URL. Write one, such as https://example.com (Test.swift:7)
      """
    case noResponse = "a stub needs at least one response (Test.swift:7)"
    case earlyRepeat = "a repeating response must be the last one of its stub (Test.swift:7)"

    func make(in network: StubNetwork) {
      switch self {
      case .relativeURL:
        network.stub(.get, "/users", responses: .status(200), fileID: "Test.swift", line: 7)
      case .relativeService:
        network.serve("example.com", fileID: "Test.swift", line: 7) { _ in .status(200) }
      case .noResponse:
        network.stub(
          RequestPattern(.get, .example("user")), responses: [], fileID: "Test.swift", line: 7)
      case .earlyRepeat:
        network.stub(
          .get, .example("user"), responses: .status(200).repeating, .status(503),
          fileID: "Test.swift", line: 7)
      }
    }
  }

  @Test(arguments: Mistake.allCases) func aMistakenStubEndsTheProgram(_ mistake: Mistake)
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [mistake] in mistake.make(in: StubNetwork(clock: VirtualTimeScheduler()))
    }
    #expect(try fatalMessage(result) == mistake.rawValue)
  }

  // MARK: Services

  private func serve(_ base: String, as name: String, line: Int) {
    network.serve(base, fileID: "Test.swift", line: line) { request in
      .text("\(name): \(request.httpMethod ?? "") \(request.url?.path ?? "")")
    }
  }

  @Test func aServiceRespondsToAllRequestsBelowItsURL() throws {
    serve("https://example.com/api", as: "api", line: 7)
    let results = [
      load("api"), load("api/"), load("api/user?name=ada"),
      load("api/user") { $0.httpMethod = "DELETE" },
    ]
    #expect(
      results == [
        "value 200 api: GET /api", "value 200 api: GET /api", "value 200 api: GET /api/user",
        "value 200 api: DELETE /api/user",
      ])
    try network.verify()
  }

  @Test func aServiceGetsNoOtherRequests() {
    serve("https://example.com/api", as: "api", line: 7)
    serve("http://example.com", as: "insecure", line: 8)
    serve("https://example.com:8443", as: "port", line: 9)
    serve("https://www.example.com", as: "host", line: 10)
    #expect([load("apis"), load("")].allSatisfy { $0 == "failure resourceUnavailable" })
    #expect(
      network.problems == [
        """
        request 1 at 0: GET https://example.com/apis matches no stub, nor the service at \
        https://example.com/api (Test.swift:7)
        """,
        """
        request 2 at 0: GET https://example.com/ matches no stub, nor the service at \
        https://example.com/api (Test.swift:7)
        """,
        "the service at https://example.com/api (Test.swift:7) never got a request",
        "the service at http://example.com (Test.swift:8) never got a request",
        "the service at https://example.com:8443 (Test.swift:9) never got a request",
        "the service at https://www.example.com (Test.swift:10) never got a request",
      ])
  }

  @Test func aStubGoesBeforeAService() throws {
    serve("https://example.com", as: "service", line: 7)
    network.stub(.get, "https://example.com/user", responses: .status(503).repeating)
    #expect([load(), load("other")] == ["value 503 ", "value 200 service: GET /other"])
    try network.verify()
  }

  @Test func twoServicesForOneRequestAreAProblem() {
    serve("https://example.com", as: "first", line: 7)
    serve("https://example.com/user", as: "second", line: 8)
    #expect(load() == "value 200 first: GET /user")
    #expect(
      network.problems == [
        """
        GET https://example.com/user matches the service at https://example.com (Test.swift:7) and \
        the service at https://example.com/user (Test.swift:8): make one of them narrower; the \
        first one responded
        """,
        "the service at https://example.com/user (Test.swift:8) never got a request",
      ])
  }

  @Test func aServiceSeesTheBodyOfEachRequest() throws {
    let bodies = Locked<[String]>([])
    network.serve("https://example.com") { request in
      bodies.withLock { $0.append(String(decoding: request.httpBody ?? Data(), as: UTF8.self)) }
      return .status(204)
    }
    _ = load {
      $0.httpMethod = "POST"
      $0.httpBody = Data("data".utf8)
    }
    _ = load {
      $0.httpMethod = "POST"
      $0.httpBodyStream = InputStream(data: Data("stream".utf8))
    }
    #expect(bodies.withLock { $0 } == ["data", "stream"])
    try network.verify()
  }

  @Test func aServicesChallengeIsRefused() {
    network.serve("https://example.com", fileID: "Test.swift", line: 7) { _ in
      .status(401, headers: ["WWW-Authenticate": "Basic"])
    }
    #expect(load() == "failure resourceUnavailable")
    #expect(
      network.problems == [
        """
        request 1 at 0: the service at https://example.com (Test.swift:7): a stub can't send an \
        authentication challenge (401 with WWW-Authenticate): leave the header out, or write \
        Bearer
        """
      ])
  }
}
