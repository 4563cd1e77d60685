import Foundation

/// A server on a local port that reads something from each client and then sends a fixed greeting. It
/// doesn't parse what it reads.
final class Listener: @unchecked Sendable {
  struct SystemError: Error { let code = errno }

  let port: UInt16
  // Written in `init` only.
  private let socket: Int32
  private let queue = DispatchQueue(label: "listener")

  /// - Parameter greeting: The text to send before closing the connection. If it's empty, nothing is
  ///   sent and the connection stays open. If it's `nil`, no connection is accepted.
  init(greeting: String?) throws {
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
    guard isBound, Glibc.listen(socket, 8) == 0 else { throw SystemError() }
    port = UInt16(bigEndian: address.sin_port)
    guard let greeting else { return }
    queue.async {
      while true {
        let client = Glibc.accept(socket, nil, nil)
        guard client >= 0 else { return }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = Glibc.recv(client, &request, request.count, 0)
        guard !greeting.isEmpty else { continue }
        _ = Glibc.send(client, greeting, greeting.utf8.count, Int32(MSG_NOSIGNAL))
        Glibc.shutdown(client, Int32(SHUT_RDWR))
        Glibc.close(client)
      }
    }
  }

  /// Accepts one more connection, stops listening, and then resets that connection. A program that's
  /// just ending may do the same.
  func dropNextConnection() {
    let socket = socket
    queue.async {
      let client = Glibc.accept(socket, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = Glibc.recv(client, &request, request.count, 0)
      Glibc.close(socket)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      Glibc.close(client)
    }
  }

  func close() {
    Glibc.shutdown(socket, Int32(SHUT_RDWR))
    Glibc.close(socket)
  }
}
