import Foundation
import Streams

/// A server on a local port that sends fixed bytes, whatever they are.
///
/// It serves each connection on a thread of its own, and closes it after the response.
package final class BadServer: Sendable {
  /// The reaction to a request.
  package enum Behavior: Sendable {
    /// Sends the bytes.
    case send(String)
    /// Sends the head, and then the chunk again and again, until the client closes the connection.
    case sendForever(head: String, chunk: String)
    /// Closes the connection with a reset.
    case reset
    /// Stops listening, and then closes the connection with a reset. A program that's just ending
    /// may do the same.
    case stopAndReset
    /// Keeps the connection open, and sends nothing.
    case keepSilent
  }

  /// The response to `GET /` of the scenarios' server.
  package static let identity = response(
    "200 OK", type: "application/json", #"{"service": "stream-scenarios"}"#)

  /// The URL of the server, without a slash at the end.
  package let url: String
  private let socket: ListeningSocket
  private let requests = Locked<[String]>([])

  /// Starts a server that ends with its last reference.
  ///
  /// - Parameter behavior: Chooses the reaction to a request for a path. It's called on the
  ///   connection's thread.
  package init(_ behavior: @escaping @Sendable (_ path: String) -> Behavior) throws {
    socket = try ListeningSocket()
    url = "http://127.0.0.1:\(socket.port)"
    let (socket, requests) = (socket, requests)
    Thread.detachNewThread {
      while let client = socket.accept() {
        Thread.detachNewThread { Self.serve(client, of: socket, behavior, requests) }
      }
    }
  }

  /// Starts a server that the check of `--server` accepts. Its reaction to all other requests is
  /// the same.
  package static func behindIdentity(_ behavior: Behavior) throws -> BadServer {
    try BadServer { $0 == "/" ? .send(identity) : behavior }
  }

  deinit { stop() }

  /// Refuses connections from now on. Those that are open go on.
  package func stop() { socket.stop() }

  /// The paths of the requests that have arrived so far.
  package var requestedPaths: [String] { requests.withLock { $0 } }

  /// A whole response with its length.
  package static func response(
    _ status: String, type: String = "text/plain", headers: [String] = [], _ body: String
  ) -> String {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type)", "Content-Length: \(body.utf8.count)",
      "Connection: close",
    ]
    return (head + headers + ["", ""]).joined(separator: "\r\n") + body
  }

  private static func serve(
    _ client: Int32, of socket: ListeningSocket, _ behavior: @Sendable (String) -> Behavior,
    _ requests: Locked<[String]>
  ) {
    defer { Glibc.close(client) }
    guard let path = readPath(client) else { return }
    requests.withLock { $0.append(path) }
    switch behavior(path) {
    case .send(let text):
      send(text, to: client)
      Glibc.shutdown(client, Int32(SHUT_WR))
    case .sendForever(let head, let chunk):
      var isOpen = send(head, to: client)
      while isOpen { isOpen = send(chunk, to: client) }
    case .reset:
      resetOnClose(client)
    case .stopAndReset:
      socket.stop()
      resetOnClose(client)
    case .keepSilent:
      var byte: UInt8 = 0
      while recv(client, &byte, 1, 0) > 0 {}
    }
  }

  private static func resetOnClose(_ client: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  /// Reads the head of a request.
  private static func readPath(_ client: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(client, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first
      .map(String.init)
  }

  /// - Returns: Whether the whole text was sent.
  @discardableResult
  private static func send(_ text: String, to client: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
