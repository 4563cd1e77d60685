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
    /// Keeps the connection open, and sends nothing.
    case keepSilent
  }

  package struct SystemError: Error { let code = errno }

  /// The response to `GET /` of the scenarios' server.
  package static let identity = response(
    "200 OK", type: "application/json", #"{"service": "stream-scenarios"}"#)

  /// The URL of the server, without a slash at the end.
  package let url: String
  private let socket: Int32
  private let requests = Locked<[String]>([])

  /// Starts a server that ends with its last reference.
  ///
  /// - Parameter behavior: Chooses the reaction to a request for a path. It's called on the
  ///   connection's thread.
  package init(_ behavior: @escaping @Sendable (_ path: String) -> Behavior) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SystemError() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound, Glibc.listen(socket, 64) == 0 else { throw SystemError() }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    let requests = requests
    Thread.detachNewThread {
      while case let client = Glibc.accept(socket, nil, nil), client >= 0 {
        Thread.detachNewThread { Self.serve(client, behavior, requests) }
      }
    }
  }

  /// Starts a server that the check of `--server` accepts. Its reaction to all other requests is
  /// the same.
  package static func behindIdentity(_ behavior: Behavior) throws -> BadServer {
    try BadServer { $0 == "/" ? .send(identity) : behavior }
  }

  deinit { Glibc.shutdown(socket, Int32(SHUT_RDWR)); Glibc.close(socket) }

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
    _ client: Int32, _ behavior: @Sendable (String) -> Behavior, _ requests: Locked<[String]>
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
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    case .keepSilent:
      var byte: UInt8 = 0
      while recv(client, &byte, 1, 0) > 0 {}
    }
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
