import Foundation

extension TodoRequest {
  /// Whether a password may be hashed for this request. That takes a thousand times longer than
  /// everything else.
  public var needsPassword: Bool { method == "POST" && ["/login", "/users"].contains(path) }

  /// The account that a login names, spelled the same for all spellings of its address; `nil` for
  /// another request. There may be no such account.
  public var account: String? {
    path == "/login" ? basicCredentials.map { TodoUser.key(email: $0.email) } : nil
  }

  /// The e-mail address and the password of `Authorization: Basic`.
  var basicCredentials: (email: String, password: String)? {
    guard let value = credentials("basic"), let data = Data(base64Encoded: value),
      let text = String(data: data, encoding: .utf8), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// The token of `Authorization: Bearer`.
  var bearerToken: String? { credentials("bearer") }

  private func credentials(_ scheme: String) -> String? {
    let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
    return parts[1].trimmingCharacters(in: .whitespaces)
  }
}

extension Int {
  /// Reads a positive number in a path or a query.
  ///
  /// It consists of the digits 0 to 9 only, and the first isn't a zero. So each number has a single
  /// spelling. `Int("+1")` is 1, too.
  init?(digits text: some StringProtocol) {
    guard let first = text.utf8.first, first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    self.init(text)
  }
}

/// The fields of a JSON object in a request's body.
struct Fields {
  private let fields: [String: Any]

  init(_ request: TodoRequest) throws {
    let type = request.contentType?.split(separator: ";").first.map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
    guard type == "application/json" else { throw Refusal(415, "the body must be JSON") }
    guard let fields = try? JSONSerialization.jsonObject(with: request.body) as? [String: Any]
    else { throw Refusal(400, "the body isn't a JSON object") }
    self.fields = fields
  }

  /// Returns the text of a field, which must exist, must not be blank, and must not be too long.
  func text(_ name: String, most: Int) throws -> String {
    guard let value = fields[name], !(value is NSNull) else {
      throw Refusal(400, "\(name) is missing")
    }
    guard let text = value as? String else { throw Refusal(400, "\(name) isn't a string") }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw Refusal(400, "\(name) is empty")
    }
    // If texts end with a null character, as in C, the rest of this one would be lost.
    guard !text.unicodeScalars.contains("\0") else {
      throw Refusal(400, "\(name) contains a null character")
    }
    guard text.count <= most, text.utf8.count <= 4 * most else {
      throw Refusal(400, "\(name) is longer than \(most) characters")
    }
    return text
  }
}

extension String {
  /// Whether this looks like an e-mail address. Only a mail to it could prove that it is one.
  var isLikelyEmailAddress: Bool {
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && !contains { $0.isWhitespace || $0.isNewline || $0 == ":" }
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
