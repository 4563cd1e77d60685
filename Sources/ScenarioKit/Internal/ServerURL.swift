import Dispatch
import Foundation
import StreamsFoundation

/// The URL of the server that `--server` names.
struct ServerURL: Hashable, Sendable {
  /// The end of each message about a wrong URL.
  static let example = "Write it like this: --server http://127.0.0.1:8080"

  /// The URL below which all paths are, without a slash at the end.
  let base: String

  /// Parses the value of `--server`.
  init(_ text: String) throws(CommandLineOptions.UsageError) {
    let components = URLComponents(string: text)
    if let problem = Self.problem(with: text, components) {
      throw CommandLineOptions.UsageError(
        description: "--server can't be \(Self.quoted(text)): \(problem). \(Self.example)")
    }
    let host = components?.percentEncodedHost ?? ""
    let path = String(
      (components?.percentEncodedPath ?? "").reversed().drop { $0 == "/" }.reversed())
    base =
      "\(components?.scheme?.lowercased() ?? "")://\(host)"
      + "\(components?.port.map { ":\($0)" } ?? "")\(path)"
  }

  private static func problem(with text: String, _ components: URLComponents?) -> String? {
    if text.contains(where: \.isWhitespace) { return "it contains a space" }
    guard let components else { return "it isn't a valid URL" }
    let host = components.host ?? ""
    return switch components {
    case _ where components.user != nil || components.password != nil:
      "it contains a user name or a password"
    case _ where !["http", "https"].contains(components.scheme?.lowercased()):
      "it doesn't start with http:// or https://"
    case _ where host.isEmpty: "it has no host"
    case _ where host.contains(":"):
      "URLSession on Linux doesn't support IPv6 addresses, so use 127.0.0.1 or a name"
    case _ where !(components.port.map { (1...65_535).contains($0) } ?? true):
      "its port isn't between 1 and 65535"
    case _ where components.query != nil || components.fragment != nil:
      "it contains a query or a fragment"
    default: nil
    }
  }

  /// The text on one line, without the part before an @, because that may be a password.
  private static func quoted(_ text: String) -> String {
    guard let end = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text.quoted }
    return "…\(text[end...])".quoted
  }

  /// Returns the URL of the same path and query on this server.
  func rebased(_ url: URL) -> URL {
    guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let base = URLComponents(string: base)
    else { return url }
    components.scheme = base.scheme
    components.host = base.host
    components.port = base.port
    components.percentEncodedPath = base.percentEncodedPath + components.percentEncodedPath
    return components.url ?? url
  }
}

extension ServerURL: CustomStringConvertible {
  /// The URL for errors.
  var description: String { base.shown }
}

extension ServerURL {
  /// Whether a URL is on this server: it has the same scheme, host and port.
  func contains(_ url: URL?) -> Bool {
    guard let url, let own = URL(string: base) else { return false }
    return url.scheme?.lowercased() == own.scheme
      && url.host?.lowercased() == own.host?.lowercased()
      && url.explicitPort == own.explicitPort
  }
}

extension URL {
  /// The port, even if it's the one that the scheme implies.
  fileprivate var explicitPort: Int? { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}

extension ServerURL {
  /// The longest time that the check of a server takes, in seconds.
  static let patience = 20

  /// Sends the server a request to check that it's the scenarios' server, and waits for the
  /// response.
  ///
  /// - Parameters:
  ///   - patience: How long the response may take on the wall clock, in seconds.
  ///   - limit: The limit of the run that this is part of.
  /// - Returns: Why scenarios can't use the server, in one line; `nil` if they can.
  func problem(patience: Int = patience, until limit: TimeLimit) -> String? {
    let remaining = max(1, limit.remainingSeconds)
    return problem(
      until: TimeLimit(seconds: min(patience, remaining)),
      named: patience <= remaining ? "\(patience) s" : "the time limit of \(limit.seconds) s",
      attempts: 3)
  }

  private func problem(until limit: TimeLimit, named time: String, attempts: Int) -> String? {
    guard let url = URL(string: base + "/") else { return "\(self) isn't a valid URL" }
    guard let outcome = ServerProbe(of: self).request(url, until: limit) else {
      return "\(self) didn't respond within \(time). "
        + "Is the port right, and is the server healthy?"
    }
    if let response = outcome.response as? HTTPURLResponse, outcome.error == nil {
      return problem(with: response, outcome.data)
    }
    switch (outcome.error as? URLError)?.code {
    case .cannotConnectToHost?:
      return "can't reach \(self) (connection refused). "
        + "Is the server running? Start it with: make server"
    case .cannotFindHost?, .dnsLookupFailed?:
      return "can't find the host of \(self). Check the URL after --server"
    case .networkConnectionLost? where attempts > 1:
      // A server that's just ending may accept a connection and drop it. The next attempt tells.
      return problem(until: limit, named: time, attempts: attempts - 1)
    case let code:
      return "\(self) doesn't respond in HTTP "
        + "(\(code.map { "URLError.\($0.name)" } ?? "no response")). Is the port right?"
    }
  }

  private func problem(with response: HTTPURLResponse, _ data: Data) -> String? {
    struct Identity: Decodable { let service: String }
    let identity = try? JSONDecoder().decode(Identity.self, from: data)
    if response.statusCode == 200, identity?.service == "stream-scenarios" { return nil }
    return "\(self) isn't the scenarios' server: it responded with \(stableText(response).shown). "
      + "Start the right one with: make server"
  }
}
