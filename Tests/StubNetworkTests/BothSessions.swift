import StreamsFoundation
import TestSupport
import VirtualTime

@testable import StubNetwork

/// Sends the same requests to the same responses in a session under a stub and in a real one, and
/// describes what the server and the client see.
struct BothSessions: Sendable {
  /// A response as its server writes it.
  struct Answer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = ""

    /// All that goes over the wire. The server closes the connection, and says so. Otherwise a
    /// session may try it again for the next request, and on Linux it then loses the body.
    var bytes: Data {
      let head = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let lines = ["HTTP/1.1 \(status) -", "Connection: close"] + head + ["", body]
      return Data(lines.joined(separator: "\r\n").utf8)
    }

    var stub: StubResponse {
      .chunked(
        status: status, headers: headers, chunks: body.isEmpty ? [] : [.init(body)])
    }
  }

  /// A request to make, in its session's style.
  struct Call: Sendable {
    var path = "/"
    var method = "GET"
    var headers: [String: String] = [:]
    var body: String?
    var upload: String?
    /// What else to change.
    var change: @Sendable (inout URLRequest) -> Void = { _ in }

    func request(to server: String) -> URLRequest {
      let url = path.contains("://") ? path : server + path
      var request = URLRequest(url: URL(string: url)!)
      request.httpMethod = method
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      request.httpBody = body.map { Data($0.utf8) }
      request.timeoutInterval = 30
      change(&request)
      return request
    }
  }

  /// The lines of both: a request as the server got it, and then its response as the client got it.
  let stub: [String]
  let real: [String]

  /// Makes the calls one after the other, in one session of each kind.
  ///
  /// - Parameters:
  ///   - calls: The requests.
  ///   - configure: Changes the configuration of both sessions.
  ///   - answer: The response to a path.
  init(
    _ calls: [Call], configure: (URLSessionConfiguration) -> Void = { _ in },
    answer: @escaping @Sendable (_ path: String) -> Answer
  ) async throws {
    let log = Locked<[String]>([])
    let server = try LoopbackServer { request in
      log.withLock { $0.append(request.line) }
      return answer(request.path).bytes
    }
    @Sendable func line(
      _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> String {
      Self.line(data, response, error).replacingOccurrences(of: server.url, with: "")
    }

    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configure(configuration)
    let session = URLSession(configuration: configuration)
    for call in calls {
      let request = call.request(to: server.url)
      let end: String = await withCheckedContinuation { continuation in
        Self.start(request, call.upload, in: session) {
          continuation.resume(returning: line($0, $1, $2))
        }
      }
      log.withLock { $0.append(end) }
    }
    session.invalidateAndCancel()
    real = log.withLock { $0 }

    log.withLock { $0 = [] }
    let clock = VirtualTimeScheduler()
    let network = StubNetwork(clock: clock)
    network.serve(server.url) { request in
      log.withLock { $0.append(request.line) }
      return answer(request.url?.path ?? "").stub
    }
    let stubbed = URLSessionConfiguration.ephemeral
    configure(stubbed)
    let stubSession = network.makeSession(configuration: stubbed)
    for call in calls {
      Self.start(call.request(to: server.url), call.upload, in: stubSession) {
        data, response, error in
        let end = line(data, response, error)
        log.withLock { $0.append(end) }
      }
      clock.run()
    }
    stub = log.withLock { $0 }
  }

  private static func start(
    _ request: URLRequest, _ upload: String?, in session: URLSession,
    _ handler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) {
    let task =
      upload.map {
        session.uploadTask(with: request, from: Data($0.utf8), completionHandler: handler)
      } ?? session.dataTask(with: request, completionHandler: handler)
    task.resume()
  }

  private static func line(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> String {
    guard let response = response as? HTTPURLResponse, let data, error == nil else {
      return "failed \((error as? URLError)?.code.name ?? "with another error")"
    }
    var parts = ["\(response.statusCode) \(String(decoding: data, as: UTF8.self))"]
    parts.append("length \(response.expectedContentLength)")
    if let type = response.mimeType { parts.append("type \(type)") }
    if let name = response.textEncodingName { parts.append("encoding \(name)") }
    if let name = response.suggestedFilename, name != "Unknown" { parts.append("file \(name)") }
    parts.append("url \(response.url?.absoluteString ?? "none")")
    parts += response.allHeaderFields.map { "\($0.key): \($0.value)" }
      .filter { $0 != "Connection: close" }.sorted()
    return parts.joined(separator: ", ")
  }
}

/// The fields that describe the connection and the program, which a stub doesn't see.
private let fieldsOfTransport: Set = [
  "Host", "Connection", "User-Agent", "Accept-Language", "Accept-Encoding", "Content-Length",
  "Transfer-Encoding", "Expect",
]

extension LoopbackServer.Request {
  fileprivate var path: String { String(target.prefix { $0 != "?" }) }

  fileprivate var line: String {
    var merged: [String: String] = [:]
    for (name, value) in fields where !fieldsOfTransport.contains(name) {
      if name == "Accept", value == "*/*" { continue }
      merged[name] = merged[name].map { "\($0),\(value)" } ?? value
    }
    return describe(method, target, merged, body)
  }
}

extension URLRequest {
  fileprivate var line: String {
    let url = url.map { URL(string: $0.canonicalString) ?? $0 }
    let target = (url?.path(percentEncoded: true) ?? "") + (url?.query.map { "?\($0)" } ?? "")
    return describe(
      httpMethod ?? "", target, allHTTPHeaderFields ?? [:], httpBody ?? Data())
  }
}

private func describe(
  _ method: String, _ target: String, _ fields: [String: String], _ body: Data
) -> String {
  (["\(method) \(target)"] + fields.map { "\($0.key): \($0.value)" }.sorted()
    + (body.isEmpty ? [] : ["body \(String(decoding: body, as: UTF8.self))"]))
    .joined(separator: ", ")
}
