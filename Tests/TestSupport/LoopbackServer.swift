import Foundation
import Streams

/// A server on a free port of 127.0.0.1. It reads whole requests, serves each connection on a
/// thread of its own, and closes it after its response.
package final class LoopbackServer: Sendable {
  /// A request as it arrived.
  package struct Request: Sendable {
    /// The method in the request line.
    package let method: String
    /// The path and the query in the request line.
    package let target: String
    /// The header fields in their order.
    package let fields: [(name: String, value: String)]
    /// The body, without the marks of chunks.
    package let body: Data
  }

  /// What the server does after a request.
  package enum Reaction: Sendable {
    /// Sends all bytes of a response.
    case send(Data)
    /// Sends the head, and then the chunk again and again, until the client closes the connection.
    case sendForever(head: Data, chunk: Data)
    /// Closes the connection with a reset.
    case reset
    /// Keeps the connection open, and sends nothing.
    case keepSilent
  }

  private struct SystemError: Error { let code = errno }

  /// The URL of the server, without a slash at the end.
  package let url: String
  /// Never closed, because its number would soon be that of another file.
  private let socket: Int32
  private let received = Locked<[Request]>([])

  /// Starts a server that ends with its last reference.
  ///
  /// - Parameter respond: Returns all bytes of the response. It's called on the connection's
  ///   thread.
  package convenience init(_ respond: @escaping @Sendable (Request) -> Data) throws {
    try self.init(reacting: { .send(respond($0)) })
  }

  /// Starts a server that ends with its last reference.
  ///
  /// - Parameter react: Chooses what to do. It's called on the connection's thread.
  package init(reacting react: @escaping @Sendable (Request) -> Reaction) throws {
    // Programs inherit neither this socket nor the accepted ones.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound, Glibc.listen(socket, 64) == 0 else { throw SystemError() }
    self.socket = socket
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    Thread.detachNewThread { [received] in
      while case let client = Glibc.accept(socket, nil, nil), client >= 0 || errno == EINTR {
        guard client >= 0 else { continue }
        // Swift doesn't see `accept4`, which would do it in one step.
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread {
          defer { Glibc.close(client) }
          let connection = Connection(client)
          guard let request = connection.readRequest() else { return }
          received.withLock { $0.append(request) }
          connection.perform(react(request))
        }
      }
    }
  }

  deinit { stop() }

  /// Refuses connections from now on. Those that are open go on.
  package func stop() { Glibc.shutdown(socket, Int32(SHUT_RDWR)) }

  /// The targets of the requests that have arrived so far.
  package var requestedTargets: [String] { received.withLock { $0.map(\.target) } }
}

/// One connection.
private struct Connection {
  private let client: Int32

  init(_ client: Int32) { self.client = client }

  func perform(_ reaction: LoopbackServer.Reaction) {
    switch reaction {
    case .send(let response):
      send(response)
      Glibc.shutdown(client, Int32(SHUT_WR))
    case .sendForever(let head, let chunk):
      var isOpen = send(head)
      while isOpen { isOpen = send(chunk) }
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    case .keepSilent:
      while read(1) != nil {}
    }
  }

  func readRequest() -> LoopbackServer.Request? {
    guard let head = readLines(), let line = head.first?.split(separator: " "), line.count > 2
    else { return nil }
    let fields = head.dropFirst().map { field in
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
    }
    func value(of name: String) -> String? { fields.first { $0.0 == name }?.1 }
    var body = Data()
    if value(of: "Transfer-Encoding") == "chunked" {
      while let size = readLine().flatMap({ Int($0, radix: 16) }), let chunk = read(size) {
        body += chunk
        _ = readLine()
        if size == 0 { break }
      }
    } else if let size = value(of: "Content-Length").flatMap({ Int($0) }) {
      body = read(size) ?? Data()
    }
    return LoopbackServer.Request(
      method: String(line[0]), target: String(line[1]), fields: fields, body: body)
  }

  /// - Returns: Whether all of it was sent.
  @discardableResult
  private func send(_ data: Data) -> Bool {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads the lines up to an empty one.
  private func readLines() -> [String]? {
    var lines: [String] = []
    while let line = readLine() {
      if line.isEmpty { return lines }
      lines.append(line)
    }
    return nil
  }

  private func readLine() -> String? {
    var bytes = Data()
    while !bytes.suffix(2).elementsEqual("\r\n".utf8) {
      guard let byte = read(1) else { return nil }
      bytes += byte
    }
    return String(decoding: bytes.dropLast(2), as: UTF8.self)
  }

  private func read(_ count: Int) -> Data? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let received = bytes.withUnsafeMutableBytes {
        recv(client, $0.baseAddress.map { $0 + done }, count - done, 0)
      }
      guard received > 0 else { return nil }
      done += received
    }
    return Data(bytes)
  }
}
