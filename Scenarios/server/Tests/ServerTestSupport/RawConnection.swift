import Foundation

/// A TCP connection to a server, for requests that a `URLSession` can't send.
///
/// Use it from one thread at a time. Its calls block that thread.
package final class RawConnection {
  /// How far a server's response is.
  package enum End: Equatable, Sendable {
    /// The server has closed its side.
    case closed
    /// The server has reset the connection.
    case reset
    /// The connection is open, and nothing has arrived for a while.
    case open
  }

  /// The bytes that the server has sent so far.
  package struct Received: Equatable, Sendable {
    package var text: String
    package var end: End

    package init(text: String, end: End) {
      self.text = text
      self.end = end
    }

    /// The status of the last response, a space, and its body.
    package var summary: String {
      let parts = text.components(separatedBy: "\r\n\r\n")
      let heads = parts.dropLast().filter { $0.hasPrefix("HTTP/1.1 ") }
      guard let head = heads.last, let body = parts.last else { return text }
      return "\(head.dropFirst(9).prefix(3)) \(body)"
    }
  }

  private let socket: Int32
  private var isOpen = true

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - base: The server's base URL, with an IPv4 address and a port.
  ///   - source: The client's address, such as another one of the loopback interface's.
  package init(to base: String, from source: String? = nil) throws {
    guard let url = URLComponents(string: base), let host = url.host, let port = url.port else {
      throw Program.Failure(description: "\(base) has no host or no port")
    }
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var result: Int32 = 0
    if let source { result = withAddress(source, 0) { bind(socket, $0, $1) } }
    if result == 0 { result = withAddress(host, port) { connect(socket, $0, $1) } }
    guard result == 0 else {
      let reason = String(cString: strerror(errno))
      close()
      throw Program.Failure(description: "can't connect to \(base): \(reason)")
    }
  }

  deinit { close() }

  /// Closes the connection.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    _ = Foundation.close(socket)
  }

  /// Closes the connection so that the server sees a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  /// Sends bytes, and waits until the system has all of them.
  ///
  /// - Returns: Whether it has. If not, the server has closed the connection.
  @discardableResult
  package func send(_ bytes: some Sequence<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(text.utf8) }

  /// Tells the server that nothing more follows. It can still respond.
  package func finishSending() { _ = shutdown(socket, Int32(SHUT_WR)) }

  /// Reads until the server closes the connection, or sends nothing for a while.
  ///
  /// - Parameters:
  ///   - count: The most bytes to read.
  ///   - patience: How long to wait for more, in milliseconds.
  package func read(count most: Int = .max, patience: Int = 60_000) -> Received {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(65_536, most))
    while bytes.count < most {
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard Foundation.poll(&poll, 1, Int32(patience)) > 0 else { return received(bytes, .open) }
      let count = recv(socket, &buffer, min(buffer.count, most - bytes.count), 0)
      guard count > 0 else { return received(bytes, count == 0 ? .closed : .reset) }
      bytes += buffer[..<count]
    }
    return received(bytes, .open)
  }

  private func received(_ bytes: [UInt8], _ end: End) -> Received {
    Received(text: String(decoding: bytes, as: UTF8.self), end: end)
  }
}

/// Calls a function of the system with an IPv4 address.
private func withAddress(
  _ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(port).bigEndian
  inet_pton(AF_INET, host, &address.sin_addr)
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
