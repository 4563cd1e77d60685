import Foundation
import Streams

/// A socket that listens on a free port of 127.0.0.1, for one thread that accepts connections.
///
/// Only that thread closes it, because the number of a closed socket may soon be that of another
/// file. Programs inherit neither this socket nor the accepted ones.
final class ListeningSocket: Sendable {
  struct SystemError: Error { let code = errno }

  let port: Int
  private let descriptor: Int32
  private let isClosed = Locked(false)

  init() throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw SystemError() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound, Glibc.listen(descriptor, 64) == 0 else {
      let error = SystemError()
      Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection. Call it on one thread only, until it returns `nil`.
  ///
  /// - Returns: The connection's socket; `nil` after ``stop()``, and then this socket is closed.
  func accept() -> Int32? {
    while true {
      let client = Glibc.accept(descriptor, nil, nil)
      if client >= 0 {
        // Swift doesn't see `accept4`, which would do it in one step.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return client
      }
      if errno == EINTR || errno == ECONNABORTED { continue }
      isClosed.withLock { isClosed in
        Glibc.close(descriptor)
        isClosed = true
      }
      return nil
    }
  }

  /// Refuses connections from now on, and ends the wait for one. It works on each thread, and as
  /// often as you like.
  func stop() {
    isClosed.withLock { if !$0 { Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }
}
