import Foundation
import VirtualTime

// A response as HTTP has it: how it looks to a session, and which ones no session could get.

extension StubResponse {
  /// The status and the header fields; `nil` if it fails before them.
  private var head: (status: Int, headers: [String: String])? {
    for case (_, .response(let status, let headers, _)) in steps { return (status, headers) }
    return nil
  }

  /// The number of bytes in its body.
  var byteCount: Int {
    steps.reduce(0) { count, step in
      if case .chunk(let data) = step.step { count + data.count } else { count }
    }
  }

  /// Whether it has a status, and doesn't fail before that.
  var hasStatus: Bool { head != nil }

  /// Whether something of it comes later than at once, so that it can be slower.
  var takesTime: Bool {
    steps.contains { $0.delay > .zero } || (upload?.duration ?? .zero) > .zero
  }

  /// Whether the body breaks off.
  var breaksOff: Bool { if case .fail = steps.last?.step { true } else { false } }

  /// The response as a session on Linux receives it: without a body if the method or the status
  /// doesn't allow one. Such a response is complete after its head.
  func received(by method: String?) -> StubResponse {
    guard let head, let first = steps.first, method == "HEAD" || Self.hasNoBody(head.status)
    else { return self }
    return StubResponse([first, (.zero, .finish)]).afterUpload(upload)
  }

  /// 204 and 304 have no body by the rules. A session on Linux keeps that of a redirect to itself,
  /// in case that there's something to follow.
  private static func hasNoBody(_ status: Int) -> Bool {
    status == 204 || (301...308).contains(status)
  }

  /// Why a session under a stub can't receive this response; `nil` if it can.
  ///
  /// Some would hang or crash FoundationNetworking on Linux. Others contradict themselves, and a
  /// real session would make something else of them.
  ///
  /// - Parameter method: The method of the request.
  func refusal(to method: String?) -> String? {
    guard let (status, headers) = head else { return nil }
    if (100..<200).contains(status) {
      return "a session waits for the response after a \(status): respond with that one"
    }
    if Self.redirects.contains(status), headers.value(of: "Location") != nil {
      return "a redirect (\(status) with Location) isn't followed under a stub: "
        + "respond as the final URL would"
    }
    if status == 401, let challenge = headers.value(of: "WWW-Authenticate"),
      !challenge.isLeftToTheClient
    {
      return "a stub can't send an authentication challenge (401 with WWW-Authenticate): "
        + "leave the header out, or write Bearer"
    }
    if let (first, second) = headers.ambiguousNames {
      return "the header fields \(first) and \(second) are the same one: "
        + "keep one of them, with both values if you need both"
    }
    // The head of a response without a body may describe one.
    let hasBody = method != "HEAD" && !Self.hasNoBody(status)
    return hasBody ? refusalOfBody(headers) : nil
  }

  /// The statuses for which a session follows `Location`.
  private static let redirects: Set = [301, 302, 303, 305, 306, 307, 308]

  private func refusalOfBody(_ headers: [String: String]) -> String? {
    let encoding = headers.value(of: "Content-Encoding") ?? "identity"
    if encoding != "identity", byteCount > 0 {
      return "a stub can't decode a body (Content-Encoding: \(encoding)): "
        + "respond with the decoded body, without that header"
    }
    guard let length = headers.value(of: "Content-Length") else { return nil }
    if !breaksOff {
      return Int(length) == byteCount
        ? nil
        : "the body has \(byteCount) bytes, but Content-Length is \(length): "
          + "make them equal, or leave the header out"
    }
    return Int(length).map { byteCount < $0 } ?? false
      ? nil
      : "the body has \(byteCount) bytes with Content-Length: \(length), so it's complete before "
        + "it fails: leave out the header, or some bytes"
  }
}

extension [String: String] {
  /// The value of a header field, however its name is spelled.
  func value(of name: String) -> String? {
    self[name] ?? first { $0.key.lowercased() == name.lowercased() }?.value
  }

  /// The same fields with one more, unless it's there in some spelling.
  func adding(_ name: String, _ value: String) -> [String: String] {
    self.value(of: name) == nil ? merging([name: value]) { given, _ in given } : self
  }

  /// The same fields without those names, however they're spelled.
  func removing(_ names: String...) -> [String: String] {
    let names = Set(names.map { $0.lowercased() })
    return filter { !names.contains($0.key.lowercased()) }
  }

  /// Two names that differ only in their spelling. A session takes either of them, by chance.
  fileprivate var ambiguousNames: (String, String)? {
    let names = Dictionary<String, [String]>(grouping: keys) { $0.lowercased() }
    let ambiguous = names.filter { $0.value.count > 1 }.min { $0.key < $1.key }?.value.sorted()
    return ambiguous.map { ($0[0], $0[1]) }
  }
}

extension String {
  /// Whether a session passes this challenge on as a part of the response. It has no answer to one
  /// for a token. To others it would ask for credentials, and on Linux wait for them forever.
  fileprivate var isLeftToTheClient: Bool {
    wholeMatch(of: #/\s*bearer(\s[^,]*)?/#.ignoresCase()) != nil
  }
}
