import Foundation
import VirtualTime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The stubs and services of a network, and which of their responses were used.
///
/// The first stub that matches a request responds, with its next unused response. If no stub
/// matches, the first service that matches responds. This type doesn't know about sessions or time.
struct StubScript {
  enum Reply {
    case response(StubResponse)
    /// Call the service for the response, outside any lock.
    case service(Service)
    /// The request is refused for this reason. Refusals of one topic are reported together; if
    /// it's `nil`, those with the same reason.
    case refusal(String, topic: String? = nil)
  }

  private struct Stub {
    let pattern: RequestPattern
    let responses: [StubResponse]
    let source: String
    var requests = 0

    var unusedCount: Int { max(0, responses.count - requests) }

    var name: String { "the stub of \(pattern) (\(source))" }
  }

  /// Responds to all requests below a URL.
  struct Service {
    private let base: URL
    private let canonicalBase: URL
    private let source: String
    private let respond: @Sendable (URLRequest) -> StubResponse
    var requests = 0

    init(base: URL, source: String, respond: @escaping @Sendable (URLRequest) -> StubResponse) {
      self.base = base
      canonicalBase = base.canonical
      self.source = source
      self.respond = respond
    }

    var host: String? { canonicalBase.host }

    var name: String { "the service at \(base.absoluteString) (\(source))" }

    func matches(_ request: URLRequest) -> Bool {
      guard let url = request.url?.canonical, url.scheme == canonicalBase.scheme,
        url.host == canonicalBase.host, url.port == canonicalBase.port
      else { return false }
      let root = canonicalBase.pathComponents.drop { $0 == "/" }
      return url.pathComponents.drop { $0 == "/" }.starts(with: root)
    }

    /// Calls the service for its response, and checks that a session can receive it.
    func reply(to request: URLRequest) -> Reply {
      let response = respond(request)
      if let refusal = response.refusal(to: request.httpMethod) {
        return .refusal("\(name): \(refusal)")
      }
      return .response(response)
    }
  }

  private var stubs: [Stub] = []
  /// The offsets of the stubs of a URL, in the order they were added. The URL is canonical.
  private var offsets: [String: [Int]] = [:]
  private var services: [Service] = []
  /// The hosts of all stubs and services.
  private var hosts: Set<String?> = []

  /// Whether a request that nothing matches fails as if its server were away, in a run in which
  /// something goes wrong on purpose.
  private(set) var isLenient = false

  /// Whether stubs may be left over.
  var allowsUnused = false

  /// Whether a fault that's expected may not happen.
  var allowsMissedFaults = false

  /// Whether a stub's last response serves all further requests.
  private var repeatsLast = false

  /// Something that goes wrong on purpose.
  private struct InjectedFault {
    let fault: NetworkFault
    /// Whether it's a problem if it doesn't happen.
    let isExpected: Bool
    /// Whether it has changed a response.
    var hasHappened = false
  }

  private var injectedFaults: [InjectedFault] = []
  /// The responses so far without faults, each with the number of its request.
  private var responses: [(request: Int, response: StubResponse)] = []
  private var refusals = RefusalList()
  /// One sentence for each request that two stubs or two services match.
  private var ambiguities: [String] = []

  /// One sentence for each mistake in the requests, or in their stubs.
  var mistakes: [String] { refusals.problems + ambiguities }

  /// All faults that the requests of this run can have, in the order of the requests.
  var possibleFaults: [NetworkFault] {
    responses.sorted { $0.request < $1.request }
      .flatMap { NetworkFault.all(of: $0.request, $0.response) }
  }

  /// Lets things go wrong, which can lead to other requests.
  ///
  /// - Parameter isExpected: Whether it's a problem if one of them doesn't happen.
  mutating func inject(_ faults: [NetworkFault], isExpected: Bool) {
    guard !faults.isEmpty else { return }
    injectedFaults += faults.map { InjectedFault(fault: $0, isExpected: isExpected) }
    isLenient = true
    allowOtherRequests()
  }

  /// Lets a run have more or fewer requests to its stubs than usual: a stub's last response serves
  /// all further ones.
  mutating func allowOtherRequests() { (allowsUnused, repeatsLast) = (true, true) }

  /// The response that a request receives, with the fault of this run. Of several, the last one
  /// that it has counts.
  mutating func sent(
    _ response: StubResponse, to request: URLRequest, _ number: Int
  ) -> StubResponse {
    let response = response.received(by: request.httpMethod)
    responses.append((number, response))
    guard let index = injectedFaults.lastIndex(where: { $0.fault.happens(to: number) })
    else { return response }
    let changed = response.with(
      injectedFaults[index].fault.kind, to: request.httpMethod, scheme: request.url?.scheme)
    if changed != response { injectedFaults[index].hasHappened = true }
    return changed
  }

  /// One sentence for each expected fault that didn't happen.
  private var missedFaults: [String] {
    if allowsMissedFaults { return [] }
    let responded = Set(responses.map(\.request))
    return injectedFaults.filter { $0.isExpected && !$0.hasHappened }.map { injected in
      let number = injected.fault.request
      let reason =
        responded.contains(number)
        ? "it wouldn't change the response to request \(number)"
        : "no stub has responded to a request \(number) since inject was called"
      return "\"\(injected.fault)\" didn't happen: \(reason)"
    }
  }

  /// Notes that a request gets no response.
  mutating func noteRefusal(
    of number: Int, because reason: String, topic: String?, at now: VirtualTime
  ) {
    refusals.note(
      topic: topic ?? reason, "request \(number) at \(now)", because: reason, at: now)
  }

  /// Whether a path may be that of several servers.
  var hasSeveralHosts: Bool { hosts.count > 1 }

  mutating func add(_ pattern: RequestPattern, responses: [StubResponse], source: String) {
    hosts.insert(URL(string: pattern.canonicalURL)?.host)
    offsets[pattern.canonicalURL, default: []].append(stubs.count)
    stubs.append(Stub(pattern: pattern, responses: responses, source: source))
  }

  mutating func add(_ service: Service) {
    hosts.insert(service.host)
    services.append(service)
  }

  mutating func reply(to request: URLRequest) -> Reply {
    let url = request.url?.canonicalString ?? ""
    let matches = (offsets[url] ?? []).filter { stubs[$0].pattern.matchesExceptURL(request) }
    guard let first = matches.first else { return serve(request) }
    if matches.count > 1 { note(request, stubs[first].name, stubs[matches[1]].name) }
    stubs[first].requests += 1
    let stub = stubs[first]
    let response = stub.responses[min(stub.requests, stub.responses.count) - 1]
    guard stub.requests <= stub.responses.count || response.isRepeating || repeatsLast else {
      return .refusal(
        "\(request.summary) was made \(times(stub.requests)), but \(stub.name) has "
          + "\(count(stub.responses.count, "response")): add one, or make the last one `.repeating`",
        topic: "\(request.summary), \(stub.name)")
    }
    if let refusal = response.refusal(to: request.httpMethod) {
      return .refusal("\(stub.name): \(refusal)")
    }
    return .response(response)
  }

  private mutating func serve(_ request: URLRequest) -> Reply {
    let matches = services.indices.filter { services[$0].matches(request) }
    guard let first = matches.first else { return .refusal(unmatched(request)) }
    if matches.count > 1 { note(request, services[first].name, services[matches[1]].name) }
    services[first].requests += 1
    return .service(services[first])
  }

  /// One sentence for each stub, response and service that no request used, and for each fault that
  /// no request had.
  var unused: [String] { (allowsUnused ? [] : unusedStubs) + missedFaults }

  private var unusedStubs: [String] {
    let unusedServices = services.filter { $0.requests == 0 }
      .map { "\($0.name) never got a request" }
    return stubs.filter { $0.unusedCount > 0 }.map { stub in
      stub.requests == 0
        ? "\(stub.name) never got a request"
        : "\(stub.name) has \(count(stub.unusedCount, "unused response")): it got "
          + count(stub.requests, "request")
    } + unusedServices
  }

  private mutating func note(_ request: URLRequest, _ first: String, _ second: String) {
    let ambiguity =
      "\(request.summary) matches \(first) and \(second): "
      + "make one of them narrower; the first one responded"
    if !ambiguities.contains(ambiguity) { ambiguities.append(ambiguity) }
  }

  private func unmatched(_ request: URLRequest) -> String {
    guard let nearest = nearest(to: request) else {
      let detail = services.isEmpty ? ": the network has none" : ", nor \(services[0].name)"
      return "\(request.summary) matches no stub\(detail)"
    }
    let differences = nearest.pattern.mismatches(with: request).map(\.description)
    return "\(request.summary) matches no stub; the nearest is \(nearest.name): "
      + differences.joined(separator: ", ")
  }

  /// Returns the stub that the request was probably meant for.
  ///
  /// That's the one whose URL differs from the request's in the shortest part, because a stub
  /// stands for an endpoint. Of those, it's one with the same method, then one with the fewest
  /// other differences, then the first.
  private func nearest(to request: URLRequest) -> Stub? {
    let url = Array((request.url?.canonicalString ?? "").utf8)
    let lengths = offsets.map { ($0.value, $0.key.utf8.lengthOfDifference(from: url)) }
    guard let shortest = lengths.map(\.1).min() else { return nil }
    let nearby = lengths.filter { $0.1 == shortest }.flatMap(\.0).sorted()
    return nearby.map { stubs[$0] }.min { first, second in
      first.pattern.distanceExceptURL(to: request)
        < second.pattern.distanceExceptURL(to: request)
    }
  }
}

extension Collection<UInt8> {
  /// The length of the part between a common beginning and a common end, where it's longer.
  fileprivate func lengthOfDifference(from other: [UInt8]) -> Int {
    let start = zip(self, other).prefix { $0 == $1 }.count
    let (old, new) = (Array(dropFirst(start)), other.dropFirst(start))
    return Swift.max(old.count, new.count)
      - zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
  }
}

extension RequestPattern {
  /// Whether the method differs, as 0 or 1, then the number of other differences.
  fileprivate func distanceExceptURL(to request: URLRequest) -> (Int, Int) {
    let mismatches = mismatches(with: request)
    let isOtherMethod = mismatches.contains { $0.field == Mismatch.method }
    return (isOtherMethod ? 1 : 0, mismatches.count)
  }
}

private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

private func count(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)" + (count == 1 ? "" : "s")
}

extension URLRequest {
  /// The method and the URL.
  var summary: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "no URL")" }
}
