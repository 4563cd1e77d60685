import Foundation
import Streams

/// A server on a local port that reads whole requests, and closes each connection after its
/// response.
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

  /// The URL of the server, without a slash at the end.
  package let url: String
  private let socket: ListeningSocket

  /// Starts a server that ends with its last reference.
  ///
  /// - Parameter respond: Returns all bytes of the response. It's called on the connection's
  ///   thread.
  package init(_ respond: @escaping @Sendable (Request) -> Data) throws {
    let socket = try ListeningSocket()
    self.socket = socket
    url = "http://127.0.0.1:\(socket.port)"
    Thread.detachNewThread {
      while let client = socket.accept() {
        Thread.detachNewThread {
          defer { Glibc.close(client) }
          guard let request = Connection(client).readRequest() else { return }
          Connection(client).send(respond(request))
          Glibc.shutdown(client, Int32(SHUT_WR))
        }
      }
    }
  }

  deinit { socket.stop() }
}

/// The bytes of one connection.
private struct Connection {
  private let client: Int32

  init(_ client: Int32) { self.client = client }

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

  func send(_ data: Data) {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
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
