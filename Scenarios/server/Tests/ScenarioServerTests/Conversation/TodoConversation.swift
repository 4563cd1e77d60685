import Foundation
import TodoAPI

/// A list of requests to a ``TodoAPI``, with the replies that every server and every store must
/// give.
///
/// ```swift
/// let outcomes = await TodoConversation.run { api.reply(to: $0) }
/// for outcome in outcomes where !outcome.isAsExpected { print(outcome) }
/// ```
///
/// Each rule of the API has a step that shows it. Steps depend on the steps before them.
enum TodoConversation {
  /// A request and the reply that it must get.
  ///
  /// In texts, `<name>` stands for a value that the server chooses, such as the number of a todo.
  /// The first reply that contains it defines the value, and later replies must agree with it.
  struct Step: Sendable {
    /// The rule that the step shows.
    let title: String
    let method: String
    let path: String
    let credentials: Credentials?
    let contentType: String?
    let body: String
    let status: Int
    /// The body of the reply.
    let reply: String
    /// Header fields that the reply must have. It may have more.
    let headers: [String: String]
    /// Whether to send the request again until the reply has that status.
    let isRepeated: Bool
  }

  /// The credentials of a request.
  enum Credentials: Sendable {
    /// An e-mail address and a password.
    case basic(String, String)
    /// A token, which may be a `<name>`.
    case bearer(String)
    /// A header as it is.
    case raw(String)

    /// Returns the header field. It's secret, so don't show it.
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

  /// The result of a step. Its description contains neither passwords nor tokens.
  struct Outcome: Sendable, CustomStringConvertible {
    /// The rule that the step shows.
    let title: String
    /// The request.
    let request: String
    /// The reply that it must get.
    let expected: String
    /// The reply that it got, with a `<name>` instead of each value that has one.
    let actual: String

    /// Whether the reply is the expected one.
    var isAsExpected: Bool { actual == expected }

    /// The title, the request and the reply, and the expected reply if that differs.
    var description: String {
      "\(title)\n  \(request)\n  \(actual)"
        + (isAsExpected ? "" : "\n  expected: \(expected)")
    }
  }

  /// Sends all requests, one after another.
  ///
  /// - Parameters:
  ///   - attempts: How often to send the request that waits for a token to expire.
  ///   - send: Sends a request to the API, and returns the reply.
  /// - Returns: The result of each step.
  static func run(
    attempts: Int = 1_000_000, _ send: (TodoRequest) async throws -> TodoReply
  ) async rethrows -> [Outcome] {
    var names = Names()
    var outcomes: [Outcome] = []
    for step in steps {
      let request = step.request(names)
      var reply = try await send(request)
      var attempt = 1
      while step.isRepeated, reply.status != step.status, attempt < attempts {
        reply = try await send(request)
        attempt += 1
      }
      outcomes.append(step.outcome(reply, &names))
    }
    return outcomes
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
    let isMatch = names.match(text, self.reply)
    let wrongHeaders = headers.filter { reply.headers[$0.key] != $0.value }
    let fields = wrongHeaders.keys.sorted().map { " \($0): \(reply.headers[$0] ?? "missing")" }
    return TodoConversation.Outcome(
      title: title, request: "\(method) \(path)\(credentials?.description ?? "")",
      expected: "\(status) \(self.reply)",
      actual: "\(reply.status) \(isMatch ? self.reply : names.hide(text))\(fields.joined())")
  }
}

extension TodoConversation {
  /// The values that the names in texts stand for.
  struct Names {
    private var values: [String: String] = [:]

    /// Returns a text with values instead of names.
    func fill(_ text: String) -> String {
      values.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    /// Returns a text with names instead of values, and without anything that looks like a token.
    func hide(_ text: String) -> String {
      values.reduce(text) { $0.replacingOccurrences(of: $1.value, with: $1.key) }
        .replacing(/"string":"[^"]*"/) { _ in #""string":"…""# }
    }

    /// Returns whether a text matches a template. If it does, stores the values of new names.
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
