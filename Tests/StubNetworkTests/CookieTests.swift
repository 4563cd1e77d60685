import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

@Suite struct CookieTests {
  private typealias Answer = BothSessions.Answer
  private typealias Call = BothSessions.Call

  // MARK: As in a real session

  /// - Returns: The `Cookie` fields of the requests after the first one.
  private func cookies(
    _ setCookie: String, name: String = "Set-Cookie", later: [Call] = [Call(path: "/later")],
    configure: (URLSessionConfiguration) -> Void = { _ in }
  ) async throws -> (stub: [String], real: [String]) {
    let both = try await BothSessions(
      [Call(path: "/set")] + later, configure: configure,
      answer: { path in
        Answer(headers: path == "/set" ? [name: setCookie] : [:], body: "ok")
      })
    func sent(_ lines: [String]) -> [String] {
      stride(from: 2, to: lines.count, by: 2).map { offset in
        let field = lines[offset].firstMatch(of: /Cookie: (.*)/).map { String($0.1) } ?? "none"
        // A real session sends them in no order.
        return field.components(separatedBy: "; ").sorted().joined(separator: "; ")
      }
    }
    return (sent(both.stub), sent(both.real))
  }

  @Test(arguments: [
    ("sid=42", "sid=42"), ("sid=42; Path=/", "sid=42"), ("b=2, a=1", "a=1; b=2"),
    // A session on Linux takes no notice of these.
    ("sid=42; Path=/private", "sid=42"), ("sid=42; Secure; HttpOnly", "sid=42"),
    ("sid=42; Max-Age=0", "sid=42"), ("sid=42; SameSite=Strict", "sid=42"),
    ("sid=42; Domain=example.com", "none"), ("sid=42; Domain=127.0.0.1", "sid=42"),
    ("sid=42; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "none"),
    ("sid=42; Version=1; Max-Age=0", "none"), ("sid=42; Version=1; Max-Age=60", "sid=42"),
    ("a=1; Version=1; Max-Age=-1, b=2", "b=2"), ("malformed", "none"), ("", "none"),
  ])
  func aCookieIsKeptAndSent(setCookie: String, sent: String) async throws {
    let both = try await cookies(setCookie)
    #expect(both.stub == both.real)
    #expect(both.stub == [sent])
  }

  @Test func onlyOneSpellingOfTheNameCounts() async throws {
    let both = try await cookies("sid=42", name: "set-cookie")
    #expect(both.stub == both.real)
    #expect(both.stub == ["none"])
  }

  @Test func cookiesReplaceTheFieldOfTheRequest() async throws {
    let both = try await cookies(
      "sid=42",
      later: [
        Call(path: "/own", headers: ["Cookie": "own=1"]),
        Call(path: "/unhandled", change: { $0.httpShouldHandleCookies = false }),
      ])
    #expect(both.stub == both.real)
    #expect(both.stub == ["sid=42", "sid=42"])
  }

  enum Policy: CaseIterable { case acceptsNone, sendsNone, hasNoStorage }

  @Test(arguments: Policy.allCases)
  func theConfigurationDecides(policy: Policy) async throws {
    let both = try await cookies(
      "sid=42",
      configure: { configuration in
        switch policy {
        case .acceptsNone: configuration.httpCookieAcceptPolicy = .never
        case .sendsNone: configuration.httpShouldSetCookies = false
        case .hasNoStorage: configuration.httpCookieStorage = nil
        }
      })
    #expect(both.stub == both.real)
    #expect(both.stub == ["none"])
  }

  // MARK: In virtual time

  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let sent = Locked<[String]>([])

  init() { network = StubNetwork(clock: clock) }

  /// Serves `/set?…`, which sets the cookie of its query, and notes the cookies of each request.
  private func serve(_ fields: [String: String] = [:]) {
    network.serve("https://example.com") { [sent] request in
      let cookies = request.value(forHTTPHeaderField: "Cookie") ?? "none"
      sent.withLock { $0.append(cookies) }
      guard let field = fields[request.url?.lastPathComponent ?? ""] else { return .status(200) }
      return .status(200, headers: ["Set-Cookie": field], after: .seconds(1))
    }
  }

  private func load(_ path: String, in session: URLSession) {
    session.dataTask(with: .example(path)).resume()
    clock.run()
  }

  /// Virtual time begins on 1 January 2001, as it does for schedulers. An expired cookie stays
  /// until another one is set, as in a real session on Linux.
  @Test func aCookieExpiresByTheVirtualClock() {
    serve([
      "set": "old=1; Expires=Mon, 01 Jan 2001 00:01:00 GMT, sid=42", "other": "b=2",
      "past": "c=3; Expires=Sun, 31 Dec 2000 23:59:59 GMT",
    ])
    let session = network.makeSession()
    for path in ["set", "past", "now"] { load(path, in: session) }
    clock.advance(by: .seconds(60))
    for path in ["later", "other", "at last"] { load(path.prefix(5) + "", in: session) }
    #expect(
      sent.withLock { $0 } == [
        "none", "old=1; sid=42", "old=1; sid=42", "old=1; sid=42", "old=1; sid=42", "b=2; sid=42",
      ])
  }

  @Test func aReplacedCookieHasTheEndOfTheNewOne() {
    serve([
      "set": "sid=1; Expires=Mon, 01 Jan 2001 00:01:00 GMT", "again": "sid=2", "other": "b=2",
    ])
    let session = network.makeSession()
    for path in ["set", "again"] { load(path, in: session) }
    clock.advance(by: .seconds(120))
    for path in ["other", "last"] { load(path, in: session) }
    #expect(sent.withLock { $0 } == ["none", "sid=1", "sid=2", "b=2; sid=2"])
  }

  /// Sessions with one configuration share their cookies, and when these end.
  @Test(arguments: [false, true])
  func aCookieThatAnotherSessionReplacedHasTheEndOfTheNewOne(isDefault: Bool) {
    let configuration = isDefault ? URLSessionConfiguration.default : .ephemeral
    serve([
      "set": "sid=1; Expires=Mon, 01 Jan 2001 00:01:00 GMT", "again": "sid=2", "other": "b=2",
    ])
    let first = network.makeSession(configuration: configuration)
    let second = network.makeSession(configuration: configuration)
    load("set", in: first)
    load("again", in: second)
    clock.advance(by: .seconds(120))
    load("other", in: first)
    load("last", in: second)
    #expect(sent.withLock { $0 } == ["none", "sid=1", "sid=2", "b=2; sid=2"])
  }

  @Test func theStorageHoldsTheCookies() throws {
    serve(["set": "sid=42; Path=/a; Secure; HttpOnly; Expires=Mon, 01 Jan 2001 01:00:00 GMT"])
    let session = network.makeSession()
    load("set", in: session)
    let cookie = try #require(session.configuration.httpCookieStorage?.cookies?.first)
    #expect(
      [cookie.name, cookie.value, cookie.domain, cookie.path] == ["sid", "42", "example.com", "/a"])
    #expect(cookie.isSecure && cookie.isHTTPOnly)
    // By the wall clock it would have expired long ago.
    #expect(cookie.expiresDate == nil)
  }

  @Test func aCookieIsKeptWhenTheHeadArrives() {
    network.stub(
      .get, "https://example.com/set",
      responses: .chunked(
        headers: ["Set-Cookie": "sid=42"], latency: .seconds(1),
        end: .fail(.networkConnectionLost, after: .seconds(1))))
    let session = network.makeSession()
    let storage = session.configuration.httpCookieStorage
    session.dataTask(with: .example("set")).resume()
    clock.advance(by: .milliseconds(999))
    #expect(storage?.cookies?.count == 0)
    clock.advance(by: .milliseconds(1))
    #expect(storage?.cookies?.count == 1)
    clock.run()
  }

  // MARK: Isolation

  @Test func sessionsShareCookiesOnlyIfTheyShareAConfiguration() {
    serve(["set": "sid=42"])
    load("set", in: network.makeSession())
    load("other", in: network.makeSession())
    let configuration = URLSessionConfiguration.ephemeral
    load("set", in: network.makeSession(configuration: configuration))
    load("same", in: network.makeSession(configuration: configuration))
    #expect(sent.withLock { $0 } == ["none", "none", "none", "sid=42"])
  }

  /// All default sessions of a real program share one storage, which is in a file.
  @Test func theStorageOfDefaultSessionsBelongsToTheNetwork() {
    serve(["set": "sid=42"])
    load("set", in: network.makeSession(configuration: .default))
    load("same", in: network.makeSession(configuration: .default))
    let other = StubNetwork(clock: clock)
    other.serve("https://example.com") { [sent] request in
      sent.withLock { $0.append(request.value(forHTTPHeaderField: "Cookie") ?? "none") }
      return .status(200)
    }
    load("other", in: other.makeSession(configuration: .default))
    #expect(sent.withLock { $0 } == ["none", "sid=42", "none"])
    #expect(HTTPCookieStorage.shared.cookies(for: .example("set"))?.isEmpty ?? true)
  }

  @Test func uploadsAndDownloadsHaveCookiesToo() {
    serve(["set": "sid=42"])
    let session = network.makeSession()
    load("set", in: session)
    session.downloadTask(with: .example("file")).resume()
    var post = URLRequest(url: .example("photo"))
    post.httpMethod = "POST"
    session.uploadTask(with: post, from: Data("sky".utf8)).resume()
    clock.run()
    #expect(sent.withLock { $0 } == ["none", "sid=42", "sid=42"])
  }
}
