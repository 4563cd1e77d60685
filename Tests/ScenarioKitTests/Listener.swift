import Foundation

/// Something that listens on a port of this machine, and says one and the same thing to whoever
/// comes, when they have said something. It understands nothing.
final class Listener: @unchecked Sendable {
  struct SystemError: Error { let code = errno }

  let port: UInt16
  // Written in `init` only.
  private let socket: Int32
  private let queue = DispatchQueue(label: "listener")

  /// - Parameter greeting: What it says before it hangs up. With an empty one it says nothing, and
  ///   does not hang up either; with none it takes nobody's call.
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
        let caller = Glibc.accept(socket, nil, nil)
        guard caller >= 0 else { return }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = Glibc.recv(caller, &request, request.count, 0)
        guard !greeting.isEmpty else { continue }
        _ = Glibc.send(caller, greeting, greeting.utf8.count, Int32(MSG_NOSIGNAL))
        Glibc.shutdown(caller, Int32(SHUT_RDWR))
        Glibc.close(caller)
      }
    }
  }

  /// Takes one more call, as a program that is just ending may: hangs up for good, and then breaks
  /// that call.
  func dropNextCall() {
    let socket = socket
    queue.async {
      let caller = Glibc.accept(socket, nil, nil)
      var request = [UInt8](repeating: 0, count: 4096)
      _ = Glibc.recv(caller, &request, request.count, 0)
      Glibc.close(socket)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        caller, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      Glibc.close(caller)
    }
  }

  func close() {
    Glibc.shutdown(socket, Int32(SHUT_RDWR))
    Glibc.close(socket)
  }
}
