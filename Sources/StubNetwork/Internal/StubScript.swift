import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// All that was stubbed, and what of it was used.
///
/// A request is answered by the first stub that matches, with the first of its answers not given
/// yet. Knows no session and no clock.
struct StubScript {
  enum Reply: Equatable {
    case answer(Answer)
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

  private var stubs: [Stub] = []

  /// Requests that two stubs match, as sentences.
  private(set) var ambiguities: [String] = []

  mutating func add(_ pattern: RequestPattern, answers: [Answer], source: String) {
    stubs.append(Stub(pattern: pattern, answers: answers, source: source))
  }

  mutating func reply(to request: URLRequest) -> Reply {
    let url = request.url?.canonicalString ?? ""
    let matches = stubs.indices.filter { stubs[$0].pattern.matches(request, url: url) }
    guard let first = matches.first else { return .refusal(unmatched(request)) }
    if matches.count > 1 {
      note(
        "\(request.summary) matches \(stubs[first].name) and \(stubs[matches[1]].name): "
          + "make one of them narrower; the first answered")
    }
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

  /// Stubs and answers that no request asked for, as sentences.
  var leftOvers: [String] {
    stubs.filter { $0.leftOver > 0 }.map { stub in
      stub.requests == 0
        ? "\(stub.name) was never asked"
        : "\(stub.name) has \(count(stub.leftOver, "answer")) left over: it was asked "
          + times(stub.requests)
    }
  }

  private mutating func note(_ ambiguity: String) {
    if !ambiguities.contains(ambiguity) { ambiguities.append(ambiguity) }
  }

  private func unmatched(_ request: URLRequest) -> String {
    let candidates = stubs.map { ($0, $0.pattern.mismatches(with: request)) }
    guard let (nearest, mismatches) = candidates.min(by: { $0.1.count < $1.1.count }) else {
      return "\(request.summary) matches no stub: there are none"
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
