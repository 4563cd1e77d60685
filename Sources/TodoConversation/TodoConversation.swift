import Foundation
import TodoAPI

/// One list of requests to a ``TodoAPI`` and the answers that they have to get, for every carrier
/// and every store of it.
///
/// ```swift
/// let outcomes = try TodoConversation.run { api.reply(to: $0) }
/// for outcome in outcomes where !outcome.isAsExpected { print(outcome) }
/// ```
///
/// Each rule of the API has a step that shows it. Steps build on what those before them have done.
public enum TodoConversation {
  /// One request and the answer that it has to get.
  ///
  /// In texts `<name>` stands for something that only the server knows, such as the number of a
  /// todo: the first answer that holds it says what it is, and what comes after has to agree.
  public struct Step: Sendable {
    /// What it shows.
    public let title: String
    let method: String
    let path: String
    let credentials: Credentials?
    let contentType: String?
    let body: String
    let status: Int
    let answer: String
    /// Header fields that the answer has among others.
    let headers: [String: String]
    /// Whether the request is sent again until it is answered with that status.
    let isRepeated: Bool
  }

  /// How a request says who sends it.
  enum Credentials: Sendable {
    /// E-mail address and password.
    case basic(String, String)
    /// A token, which may be a `<name>`.
    case bearer(String)
    /// A header as it is.
    case raw(String)

    /// The header field; what it holds is not to be shown.
    func header(_ fill: (String) -> String) -> String {
      switch self {
      case .basic(let email, let password):
        "Basic " + Data("\(fill(email)):\(password)".utf8).base64EncodedString()
      case .bearer(let token): "Bearer \(fill(token))"
      case .raw(let header): header
      }
    }

    var description: String {
      switch self {
      case .basic(let email, _): " as \(email)"
      case .bearer(let token): " with \(token)"
      case .raw: " with another Authorization"
      }
    }
  }

  /// What came of a step. Its description holds neither passwords nor tokens.
  public struct Outcome: Sendable, CustomStringConvertible {
    /// What it shows.
    public let title: String
    /// The request.
    public let request: String
    /// The answer that it has to get.
    public let expected: String
    /// The answer that it got, with the `<name>` of everything that has one.
    public let actual: String

    /// Whether the answer is the one that it had to be.
    public var isAsExpected: Bool { actual == expected }

    /// The title, the request, the answer, and what that had to be if it is another.
    public var description: String {
      "\(title)\n  \(request)\n  \(actual)"
        + (isAsExpected ? "" : "\n  expected: \(expected)")
    }
  }

  /// Sends all requests, one after another.
  ///
  /// - Parameters:
  ///   - suffix: Stands before the `@` of every e-mail address, for a server that may have heard the
  ///     conversation before.
  ///   - attempts: How often a request is sent that waits for a token to expire.
  ///   - send: Carries a request to the API, and brings the answer.
  /// - Returns: What came of each step.
  public static func run(
    suffix: String = "", attempts: Int = 1_000_000,
    _ send: (TodoRequest) throws -> TodoReply
  ) rethrows -> [Outcome] {
    var names = Names(suffix: suffix)
    return try steps.map { step in
      let request = step.request(names)
      var reply = try send(request)
      var attempt = 1
      while step.isRepeated, reply.status != step.status, attempt < attempts {
        reply = try send(request)
        attempt += 1
      }
      return step.outcome(reply, &names)
    }
  }
}

extension TodoConversation.Step {
  fileprivate func request(_ names: TodoConversation.Names) -> TodoRequest {
    let parts = path.split(separator: "?", maxSplits: 1)
    let items = parts.dropFirst().first?.split(separator: "=").map(String.init) ?? []
    return TodoRequest(
      method: method, path: names.fill(String(parts.first ?? "/")),
      query: items.count == 2 ? [items[0]: items[1]] : [:],
      authorization: credentials?.header(names.fill), contentType: contentType,
      body: Data(names.fill(body).utf8))
  }

  fileprivate func outcome(
    _ reply: TodoReply, _ names: inout TodoConversation.Names
  ) -> TodoConversation.Outcome {
    let text = String(decoding: reply.body, as: UTF8.self)
    let isMatch = names.match(text, answer)
    let wrongHeaders = headers.filter { reply.headers[$0.key] != $0.value }
    let fields = wrongHeaders.keys.sorted().map { " \($0): \(reply.headers[$0] ?? "missing")" }
    return TodoConversation.Outcome(
      title: title, request: "\(method) \(path)\(credentials?.description ?? "")",
      expected: "\(status) \(answer)",
      actual: "\(reply.status) \(isMatch ? answer : names.hide(text))\(fields.joined())")
  }
}

extension TodoConversation {
  /// What the names in texts stand for.
  struct Names {
    private let suffix: String
    private var values: [String: String] = [:]

    init(suffix: String) { self.suffix = suffix }

    /// Puts what they stand for in the place of names.
    func fill(_ text: String) -> String {
      let text = text.replacingOccurrences(of: "@example.com", with: "\(suffix)@example.com")
      return values.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    /// Puts names in the place of what they stand for, and of all that looks like a token.
    func hide(_ text: String) -> String {
      values.reduce(text) { $0.replacingOccurrences(of: $1.value, with: $1.key) }
        .replacing(/"string":"[^"]*"/) { _ in #""string":"…""# }
    }

    /// Whether a text is what another describes; if it is, learns the names that are new.
    mutating func match(_ text: String, _ template: String) -> Bool {
      var pattern = NSRegularExpression.escapedPattern(for: fill(template))
      var learned: [String] = []
      while let name = pattern.firstMatch(of: /<[a-z' ]+>/) {
        learned.append(String(name.output))
        pattern.replaceSubrange(name.range, with: "([A-Za-z0-9_.=+/-]+)")
      }
      let all = NSRange(text.startIndex..., in: text)
      guard let regex = try? NSRegularExpression(pattern: "^\(pattern)$"),
        let match = regex.firstMatch(in: text, range: all)
      else { return false }
      for (index, name) in learned.enumerated() {
        guard let range = Range(match.range(at: index + 1), in: text) else { return false }
        values[name] = String(text[range])
      }
      return true
    }
  }
}
