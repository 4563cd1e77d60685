import Foundation
import StreamsFoundation
import Testing
import VirtualTime

@testable import StubNetwork

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Faults that a text lets happen.
@Suite struct InjectedFaultTests {
  private let clock = VirtualTimeScheduler()

  private func makeNetwork(_ onFailure: @escaping @Sendable (String) -> Void) -> StubNetwork {
    let network = StubNetwork(clock: clock, onFailure: onFailure)
    for scheme in ["http", "https"] {
      network.stub(
        .get, "\(scheme)://example.com/user",
        responses: .text("Ada", after: .milliseconds(100)))
    }
    return network
  }

  /// Makes requests one after the other, and returns what each led to.
  private func load(
    _ count: Int, _ scheme: String = "https", from network: StubNetwork
  ) -> [String] {
    let url = URL(string: "\(scheme)://example.com/user")!
    return (0..<count).map { _ in
      var result = "nothing"
      let load = network.makeSession().dataTaskPublisher(for: url).sink {
        if case .failure(let error) = $0 { result = error.code.name }
      } receiveValue: { data, response in
        let http = response as? HTTPURLResponse
        result =
          "\(http?.statusCode ?? 0) \(response.url?.absoluteString ?? "") "
          + String(decoding: data, as: UTF8.self)
      }
      clock.run()
      load.cancel()
      return "\(clock.now) \(result)"
    }
  }

  private func run(
    _ faults: String..., requests: Int = 3, _ scheme: String = "https"
  ) -> (results: [String], problems: [String]) {
    let failures = Locked<[String]>([])
    let network = makeNetwork { failure in failures.withLock { $0.append(failure) } }
    for fault in faults { network.inject(fault, fileID: "Test.swift", line: 7) }
    return (load(requests, scheme, from: network), failures.withLock { $0 } + network.problems)
  }

  private static let success = "200 https://example.com/user Ada"

  @Test func oneRequestGoesWrong() {
    let (results, problems) = run("request 2 is refused")
    #expect(
      results == ["100ms \(Self.success)", "200ms cannotConnectToHost", "300ms \(Self.success)"])
    #expect(problems == [])
  }

  @Test func aFaultCanLast() {
    let (results, problems) = run("from request 2 on, each request gets a 401")
    #expect(
      results == [
        "100ms \(Self.success)", "200ms 401 https://example.com/user Ada",
        "300ms 401 https://example.com/user Ada",
      ])
    #expect(problems == [])
  }

  /// The last of a request's faults is the one that it has.
  @Test(arguments: [
    ["from request 1 on, each request is refused, and then request 2 is lost after 1 byte"],
    ["from request 1 on, each request is refused", "request 2 is lost after 1 byte"],
  ])
  func severalFaultsHappen(faults: [String]) {
    let network = makeNetwork { Issue.record("\($0)") }
    for fault in faults { network.inject(fault) }
    #expect(
      load(3, from: network) == [
        "100ms cannotConnectToHost", "200ms networkConnectionLost", "300ms cannotConnectToHost",
      ])
    #expect(network.problems == [])
  }

  @Test func aPortalRespondsToPlainRequestsOnly() {
    let fault = "request 1 meets a captive portal"
    #expect(
      run(fault, requests: 1, "http").results == [
        "100ms 200 http://portal.example/login <html>Log in to use this network.</html>"
      ])
    #expect(run(fault, requests: 1).results == ["200ms serverCertificateUntrusted"])
  }

  /// A session has no answer to a challenge for a token, so it passes the response on.
  @Test func aRequestWithoutATokenGetsItsResponse() {
    #expect(
      run("request 1 gets a 401", requests: 1).results
        == ["100ms 401 https://example.com/user Ada"])
  }

  @Test func eachFaultIsReadAsItIsWritten() throws {
    let response = StubResponse.text("Ada Lovelace", after: .seconds(1))
    let once = NetworkFault.all(of: 12, response)
    for fault in once + once.map(\.lasting) {
      #expect(try NetworkFault.list(parsing: "\(fault)") == [fault])
    }
    let pair = [once[0].lasting, NetworkFault(request: 13, .slow(times: 3))]
    #expect(try NetworkFault.list(parsing: NetworkFault.description(of: pair)) == pair)
  }

  @Test(arguments: [
    "", "request", "request 1", "request one is refused", "request 0 is refused",
    "request 1 is refused ", "request 1 gets a 99", "request 1 gets a 100", "request 1 gets a 600",
    "request 1 is 0 times as slow", "request 1 is 99999 times as slow",
    "request 99999999999999999999 is refused", "from request 1 on, each request",
    "Request 1 is refused",
  ])
  func aTextThatIsNoFaultIsAMistake(text: String) {
    let (results, problems) = run(text, requests: 1)
    #expect(results == ["100ms \(Self.success)"])
    #expect(
      problems.filter { !$0.contains("never got a request") } == [
        "\"\(text)\" isn't a fault: write a request and what goes wrong with it, such as "
          + "\"request 1 is refused\", \"request 2 gets a 401\" or "
          + "\"from request 1 on, each request times out\" (Test.swift:7)"
      ])
  }

  @Test func aFaultThatDoesNotHappenIsAProblem() {
    #expect(
      run("request 4 is refused, and then request 5 times out").problems == [
        "\"request 4 is refused\" didn't happen: no stub has responded to a request 4 since inject "
          + "was called",
        "\"request 5 times out\" didn't happen: no stub has responded to a request 5 since inject "
          + "was called",
      ])
    #expect(
      run("request 1 is lost after 3 bytes, and then request 1 is lost after 4 bytes").problems == [
        "\"request 1 is lost after 3 bytes\" didn't happen: it wouldn't change the response to "
          + "request 1"
      ])
    #expect(
      run("request 1 gets a 200").problems == [
        "\"request 1 gets a 200\" didn't happen: it wouldn't change the response to request 1"
      ])
  }

  @Test func requestsAreListedInTheirOrder() {
    let network = makeNetwork { Issue.record("\($0)") }
    network.inject("request 2 is refused")
    _ = load(2, from: network)
    _ = load(1, "http", from: network)
    #expect(
      network.requests == [
        "GET https://example.com/user", "GET https://example.com/user",
        "GET http://example.com/user",
      ])
  }
}
