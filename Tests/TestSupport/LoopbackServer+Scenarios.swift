import Foundation

extension LoopbackServer {
  /// The response to `GET /` of the scenarios' server.
  package static let identity = response(
    #"{"service": "stream-scenarios"}"#, type: "application/json")

  /// Starts a server that the check of `--server` accepts. Its reaction to all other requests is
  /// the same.
  package static func behindIdentity(_ reaction: Reaction) throws -> LoopbackServer {
    try LoopbackServer(reacting: { $0.target == "/" ? .send(identity) : reaction })
  }

  /// A whole response with its length.
  package static func response(
    _ body: String, status: String = "200 OK", type: String = "text/plain"
  ) -> Data {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
      "Connection: close",
    ]
    return Data(((head + ["", ""]).joined(separator: "\r\n") + body).utf8)
  }
}
