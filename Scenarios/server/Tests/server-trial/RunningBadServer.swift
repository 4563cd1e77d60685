import Foundation
import Synchronization

/// A bad server that listens on a free port of 127.0.0.1.
final class RunningBadServer: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var connections: [Connection] = []
    var isStopped = false
  }

  let server: BadServer
  let group: BadServer.Group
  let port: Int

  // Keeps the port when the server no longer listens, so that no other program gets it.
  private let placeholder: Int32
  private let listener: Int32
  private let state = Mutex(State())

  /// The base URL, without a slash at the end.
  var base: String { "http://127.0.0.1:\(port)" }

  init(_ server: BadServer, _ group: BadServer.Group) throws {
    self.server = server
    self.group = group
    (placeholder, port) = try Self.bind(port: 0)
    do {
      (listener, _) = try Self.bind(port: port)
    } catch {
      close(placeholder)
      throw error
    }
    if case .refuse = server.behaviour, group == .fromTheStart { return }
    guard listen(listener, 64) == 0 else {
      let problem = String(cString: strerror(errno))
      stop()
      throw Failure(description: "can't listen: \(problem)")
    }
    Thread.detachNewThread { [self] in acceptConnections() }
  }

  /// Runs a body while no server accepts a connection, and no other body runs.
  ///
  /// Start programs in it: a program that inherits the socket of a connection would keep it open.
  static func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result {
    try exclusive.withLock { _ in try body() }
  }

  private static let exclusive = Mutex(())

  /// Ends all connections, and listens no more.
  func stop() {
    let connections = state.withLock { state -> [Connection] in
      defer { (state.isStopped, state.connections) = (true, []) }
      return state.connections
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections { connection.stop() }
  }

  deinit {
    close(listener)
    close(placeholder)
  }

  private func acceptConnections() {
    while true {
      var listening = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      poll(&listening, 1, -1)
      // Nothing else accepts from this socket, so this doesn't block.
      let socket = Self.exclusively {
        let socket = accept(listener, nil, nil)
        if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return socket
      }
      if socket < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        return
      }
      let connection = Connection(socket)
      let isStopped = state.withLock { state in
        if !state.isStopped { state.connections.append(connection) }
        return state.isStopped
      }
      if isStopped { return }
      Thread.detachNewThread { [self] in
        serve(connection)
        connection.close()
        state.withLock { $0.connections.removeAll { $0 === connection } }
      }
    }
  }

  private func serve(_ connection: Connection) {
    guard let request = connection.readRequest() else { return }
    let isCheck = group == .afterTheCheck && request == ("GET", "/")
    switch server.behaviour {
    case .refuse:
      // It's gone before the client has the response.
      shutdown(listener, Int32(SHUT_RDWR))
      connection.send(rightResponse)
    case .respond(let respond):
      if isCheck { connection.send(rightResponse) } else { respond(connection) }
    }
  }

  /// Binds a socket to a port of 127.0.0.1. Two sockets may share the port, if only one of them
  /// listens.
  private static func bind(port: Int) throws -> (socket: Int32, port: Int) {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let problem = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> String? in
        guard Foundation.bind(socket, address, length) == 0,
          getsockname(socket, address, &length) == 0
        else { return String(cString: strerror(errno)) }
        return nil
      }
    }
    if let problem {
      close(socket)
      throw Failure(description: "can't bind a socket: \(problem)")
    }
    return (socket, Int(in_port_t(bigEndian: address.sin_port)))
  }
}
