import Foundation
import Streams
import StreamsFoundation
import Timeline

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
  /// Requests `GET /`, and waits for the response. So a wrong URL costs one line, and not a page of
  /// failures.
  ///
  /// - Parameter limit: The limit of the run that this is part of.
  /// - Returns: Why scenarios can't use the server, in one line; `nil` if they can.
  func problem(until limit: TimeLimit) -> String? {
    let network = LiveNetwork(server: self, log: RequestLog(Timeline(now: { .zero })))
    defer { network.invalidate() }
    let end = Locked<(Data?, URLResponse?, (any Error)?)?>(nil)
    network.makeSession(delegate: nil).dataTask(with: URL(absolute: "http://server/")) {
      data, response, error in end.withLock { $0 = (data, response, error) }
    }.resume()
    while end.withLock({ $0 == nil }), !limit.isReached {
      if !network.runCallback() { network.wait(atMost: .milliseconds(50)) }
    }
    let (data, response, error) = end.withLock { $0 } ?? (nil, nil, nil)
    if let response { return problem(with: response, data ?? Data()) }
    switch error.map({ ($0 as? URLError)?.code ?? .unknown }) {
    case .cannotConnectToHost?:
      return "can't reach \(self) (connection refused). "
        + "Is the server running? Start it with: make server"
    case .cannotFindHost?, .dnsLookupFailed?:
      return "can't find the host of \(self). Check the URL after --server"
    case .timedOut?, nil:
      let time = error == nil ? "within the time limit of \(limit.seconds) s" : "in time"
      return "\(self) didn't respond \(time). Is the port right, and is the server healthy?"
    case let code?:
      return "\(self) doesn't respond in HTTP (URLError.\(code.name)). Is the port right?"
    }
  }

  private func problem(with response: URLResponse, _ data: Data) -> String? {
    struct Identity: Decodable { let service: String }
    let identity = try? JSONDecoder().decode(Identity.self, from: data)
    if identity?.service == "stream-scenarios" { return nil }
    return "\(self) isn't the scenarios' server: it responded with \(stableText(response).shown). "
      + "Start the right one with: make server"
  }
}
