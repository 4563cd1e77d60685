import Foundation

/// The bytes that a server sends over one connection, and the end of the connection.
struct RawResponse: Equatable {
  enum End: Equatable {
    case refused
    case closed
    case reset
    /// The client had enough.
    case open
    /// Nothing came for as long as the client waits.
    case silent
  }

  var text = ""
  var end: End
}

/// Sends a request over a plain socket, and reads all that follows.
///
/// - Parameters:
///   - closesFirst: Whether the client closes its side after the request.
///   - patience: How long the client waits for the next bytes, in seconds.
///   - limit: The client stops reading when it has so many bytes. It may get some more with the
///     last of them.
func rawResponse(
  port: Int, method: String = "GET", path: String, body: String = "", closesFirst: Bool = false,
  patience: Int = 60, limit: Int = .max
) -> RawResponse {
  let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  defer { close(socket) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
  let isConnected = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
  guard isConnected else { return RawResponse(end: .refused) }
  let request =
    "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
  // The body comes in a piece of its own.
  for piece in [request, body] where !piece.isEmpty {
    _ = send(socket, piece, piece.utf8.count, Int32(MSG_NOSIGNAL))
  }
  var timeout = timeval(tv_sec: patience, tv_usec: 0)
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  if closesFirst { shutdown(socket, Int32(SHUT_WR)) }
  var bytes = Data()
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < limit {
    let count = recv(socket, &buffer, buffer.count, 0)
    if count <= 0 {
      let end: RawResponse.End = count == 0 ? .closed : errno == EAGAIN ? .silent : .reset
      return RawResponse(text: String(decoding: bytes, as: UTF8.self), end: end)
    }
    bytes += buffer[..<count]
  }
  return RawResponse(text: String(decoding: bytes, as: UTF8.self), end: .open)
}
