import Dispatch
import Foundation
import StreamsFoundation

/// The server that `--server` names.
struct ServerAddress: Hashable, Sendable {
  /// Where everything on it begins, without a slash at the end.
  let base: String

  /// Reads what stands behind `--server`.
  init(_ text: String) throws(CommandLineOptions.UsageError) {
    let components = URLComponents(string: text)
    if let problem = Self.problem(with: text, components) {
      throw CommandLineOptions.UsageError(
        description: "--server cannot be \(Self.quoted(text)): \(problem); "
          + "name the server like this: --server http://127.0.0.1:8080")
    }
    let host = components?.percentEncodedHost ?? ""
    let path = String(
      (components?.percentEncodedPath ?? "").reversed().drop { $0 == "/" }.reversed())
    base =
      "\(components?.scheme?.lowercased() ?? "")://\(host)"
      + "\(components?.port.map { ":\($0)" } ?? "")\(path)"
  }

  private static func problem(with text: String, _ components: URLComponents?) -> String? {
    if text.contains(where: \.isWhitespace) { return "it has a space in it" }
    guard let components else { return "it is no URL" }
    let host = components.host ?? ""
    return switch components {
    case _ where components.user != nil || components.password != nil: "it holds a user's name"
    case _ where !["http", "https"].contains(components.scheme?.lowercased()):
      "it does not begin with http:// or https://"
    case _ where host.isEmpty: "it names no host"
    case _ where host.contains(":"):
      "a URLSession on Linux takes no IPv6 address, so use 127.0.0.1 or a name"
    case _ where !(components.port.map { (1...65_535).contains($0) } ?? true):
      "its port is not between 1 and 65535"
    case _ where components.query != nil || components.fragment != nil: "it holds a query"
    default: nil
    }
  }

  /// What was given, on one line, and without what stands before an @: that may be a password.
  private static func quoted(_ text: String) -> String {
    text.replacing(/(?s).*@/, with: "…@").debugDescription
  }

  /// The same path and query on this server.
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

extension ServerAddress: CustomStringConvertible {
  var description: String { base }
}

extension ServerAddress {
  /// Asks the server who it is, and waits for the answer.
  ///
  /// - Parameter patience: How long it may take, by the wall clock, in seconds.
  /// - Returns: Why no scenario can run with it, as a sentence; `nil` if one can.
  func problem(patience: Int = 20) -> String? {
    problem(patience, attempts: 3)
  }

  private func problem(_ patience: Int, attempts: Int) -> String? {
    guard let url = URL(string: base + "/") else { return "\(base) is no URL" }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = TimeInterval(patience)
    let probe = ServerProbe()
    let session = URLSession(configuration: configuration, delegate: probe, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    session.dataTask(with: url).resume()
    // A little longer than the session: it knows better what was wrong.
    guard let answer = probe.wait(seconds: patience + 1) else { return silence(patience) }
    if let response = answer.response as? HTTPURLResponse, answer.error == nil {
      return problem(with: response, answer.data)
    }
    switch (answer.error as? URLError)?.code {
    case .cannotConnectToHost?:
      return "nothing listens at \(base): start a server with `make server`, or name another"
    case .cannotFindHost?, .dnsLookupFailed?:
      return "there is no host for \(base): correct what follows --server"
    case .timedOut?:
      return silence(patience)
    case .networkConnectionLost? where attempts > 1:
      // A server that is just ending may still take a call and drop it; then it is not there.
      return problem(patience, attempts: attempts - 1)
    case let code:
      return "what listens at \(base) does not answer in HTTP "
        + "(\(code.map { "URLError.\($0.name)" } ?? "no response")): is the port right?"
    }
  }

  private func silence(_ patience: Int) -> String {
    "\(base) did not answer within \(patience) s: is the port right, and the server well?"
  }

  private func problem(with response: HTTPURLResponse, _ data: Data) -> String? {
    struct Identity: Decodable { let service: String }
    let identity = try? JSONDecoder().decode(Identity.self, from: data)
    if response.statusCode == 200, identity?.service == "stream-scenarios" { return nil }
    return "\(base) answers \(stableText(response)), and that is not the server of the scenarios: "
      + "start it with `make server`, or name another"
  }
}
