import Dispatch
import Foundation
import StreamsFoundation

/// The server that `--server` names.
struct ServerAddress: Hashable, Sendable {
  /// Where everything on it begins, without a slash at the end.
  let base: String

  /// Reads what stands behind `--server`.
  init(_ text: String) throws(CommandLineOptions.UsageError) {
    let problem: String? =
      if text.contains(where: \.isWhitespace) {
        "it has a space in it"
      } else if let components = URLComponents(string: text) {
        switch components {
        case _ where components.user != nil || components.password != nil:
          "it holds a user's name"
        case _ where !["http", "https"].contains(components.scheme?.lowercased()):
          "it does not begin with http:// or https://"
        case _ where (components.host ?? "").isEmpty: "it names no host"
        case _ where !(components.port.map { (1...65_535).contains($0) } ?? true):
          "its port is not between 1 and 65535"
        case _ where components.query != nil || components.fragment != nil: "it holds a query"
        default: nil
        }
      } else { "it is no URL" }
    if let problem {
      // What stands before an @ may be a password.
      let named = text.replacing(/\/\/.*@/, with: "//…@")
      throw CommandLineOptions.UsageError(
        description: "--server cannot be \"\(named)\": \(problem); "
          + "name the server like this: --server http://127.0.0.1:8080")
    }
    base = String(text.reversed().drop { $0 == "/" }.reversed())
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
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let answer = Locked<(data: Data?, response: URLResponse?, error: (any Error)?)?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    session.dataTask(with: url) { data, response, error in
      answer.withLock { $0 = (data, response, error) }
      isDone.signal()
    }
    .resume()
    // A little longer than the session: it knows better what was wrong.
    let outcome = isDone.wait(timeout: .now() + .seconds(patience + 1))
    guard outcome == .success, let answer = answer.withLock({ $0 }) else {
      return silence(patience)
    }
    if let response = answer.response as? HTTPURLResponse, answer.error == nil {
      return problem(with: response, answer.data ?? Data())
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
