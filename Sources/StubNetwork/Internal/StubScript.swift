import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// All that was stubbed, and what of it was used.
///
/// A request is answered by the first stub that matches, with the first of its answers not given
/// yet; if none does, by the service that it is for. Knows no session and no clock.
struct StubScript {
  enum Reply {
    case answer(Answer)
    /// To be asked outside of any lock.
    case service(Service)
    /// There is none, and this is why.
    case refusal(String)
  }

  private struct Stub {
    let pattern: RequestPattern
    let answers: [Answer]
    let source: String
    var requests = 0

    var leftOver: Int { max(0, answers.count - requests) }

    var name: String { "the stub of \(pattern) (\(source))" }
  }

  /// Something that answers all that is asked below a URL.
  struct Service {
    private let base: URL
    private let source: String
    private let answer: @Sendable (URLRequest) -> Answer
    var requests = 0

    init(base: URL, source: String, answer: @escaping @Sendable (URLRequest) -> Answer) {
      self.base = base
      self.source = source
      self.answer = answer
    }

    var name: String { "the service at \(base.absoluteString) (\(source))" }

    func matches(_ request: URLRequest) -> Bool {
      guard let url = request.url, url.scheme == base.scheme, url.host == base.host,
        url.port == base.port
      else { return false }
      let root = base.pathComponents.drop { $0 == "/" }
      return url.pathComponents.drop { $0 == "/" }.starts(with: root)
    }

    /// The answer to a request, unless a session cannot be given it.
    func reply(to request: URLRequest) -> Reply {
      let answer = answer(request)
      if let refusal = answer.refusal { return .refusal("\(name): \(refusal)") }
      return .answer(answer)
    }
  }

  private var stubs: [Stub] = []
  private var services: [Service] = []

  /// Requests that two stubs or two services match, as sentences.
  private(set) var ambiguities: [String] = []

  mutating func add(_ pattern: RequestPattern, answers: [Answer], source: String) {
    stubs.append(Stub(pattern: pattern, answers: answers, source: source))
  }

  mutating func add(_ service: Service) { services.append(service) }

  mutating func reply(to request: URLRequest) -> Reply {
    let url = request.url?.canonicalString ?? ""
    let matches = stubs.indices.filter { stubs[$0].pattern.matches(request, url: url) }
    guard let first = matches.first else { return serve(request) }
    if matches.count > 1 { note(request, stubs[first].name, stubs[matches[1]].name) }
    stubs[first].requests += 1
    let stub = stubs[first]
    let answer = stub.answers[min(stub.requests, stub.answers.count) - 1]
    guard stub.requests <= stub.answers.count || answer.isRepeating else {
      return .refusal(
        "\(request.summary) was made \(times(stub.requests)), but \(stub.name) has "
          + "\(count(stub.answers.count, "answer")): add one, or make the last one `.repeating`")
    }
    if let refusal = answer.refusal { return .refusal("\(stub.name): \(refusal)") }
    return .answer(answer)
  }

  private mutating func serve(_ request: URLRequest) -> Reply {
    let matches = services.indices.filter { services[$0].matches(request) }
    guard let first = matches.first else { return .refusal(unmatched(request)) }
    if matches.count > 1 { note(request, services[first].name, services[matches[1]].name) }
    services[first].requests += 1
    return .service(services[first])
  }

  /// Stubs, answers and services that no request asked for, as sentences.
  var leftOvers: [String] {
    let unasked = services.filter { $0.requests == 0 }.map { "\($0.name) was never asked" }
    return stubs.filter { $0.leftOver > 0 }.map { stub in
      stub.requests == 0
        ? "\(stub.name) was never asked"
        : "\(stub.name) has \(count(stub.leftOver, "answer")) left over: it was asked "
          + times(stub.requests)
    } + unasked
  }

  private mutating func note(_ request: URLRequest, _ first: String, _ second: String) {
    let ambiguity =
      "\(request.summary) matches \(first) and \(second): "
      + "make one of them narrower; the first answered"
    if !ambiguities.contains(ambiguity) { ambiguities.append(ambiguity) }
  }

  private func unmatched(_ request: URLRequest) -> String {
    let candidates = stubs.map { ($0, $0.pattern.mismatches(with: request)) }
    guard let (nearest, mismatches) = candidates.min(by: { $0.1.count < $1.1.count }) else {
      let others = services.isEmpty ? ": there are none" : ", nor \(services[0].name)"
      return "\(request.summary) matches no stub\(others)"
    }
    let differences = mismatches.map(\.description).joined(separator: ", ")
    return "\(request.summary) matches no stub; nearest is \(nearest.name): \(differences)"
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
