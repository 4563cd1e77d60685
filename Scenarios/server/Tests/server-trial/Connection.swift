import Foundation
import Synchronization

/// A client's connection to a bad server.
///
/// Each connection has a thread of its own, so all calls here block. They end early when the server
/// stops.
final class Connection: Sendable {
  private struct State {
    var isClosed = false
    var isStopped = false
  }

  private let socket: Int32
  private let state = Mutex(State())

  init(_ socket: Int32) { self.socket = socket }

  deinit { close() }

  /// Reads a request with its whole body, so that closing the connection sends a FIN and not a
  /// reset.
  ///
  /// - Returns: The method and the path; `nil` if the client sends none.
  func readRequest() -> (method: String, path: String)? {
    let endOfHead = Data("\r\n\r\n".utf8)
    var bytes = Data()
    while bytes.range(of: endOfHead) == nil {
      guard bytes.count < 65_536, let chunk = read() else { return nil }
      bytes += chunk
    }
    guard let end = bytes.range(of: endOfHead)?.upperBound else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(whereSeparator: \.isNewline)
    let length = lines.lazy.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].trimmingCharacters(in: .whitespaces))
    }.first
    var missing = (length ?? 0) - (bytes.count - end)
    while missing > 0, let chunk = read() { missing -= chunk.count }
    let words = (lines.first ?? "").split(separator: " ")
    return words.count >= 2 ? (String(words[0]), String(words[1])) : nil
  }

  /// Sends a text.
  ///
  /// - Returns: Whether the client still reads.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Sends the same bytes again and again, as fast as the client reads, until it closes.
  func sendForever(_ bytes: [UInt8]) {
    while send(bytes) {}
  }

  /// Sends a text one byte at a time, with a pause before each, until the client closes.
  func drip(_ text: String) {
    for byte in text.utf8 {
      guard !waitsForClose(milliseconds: 100), send([byte]) else { return }
    }
  }

  /// Waits until the client closes.
  func waitForClose() {
    while read() != nil {}
  }

  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      Foundation.close(socket)
    }
  }

  /// Closes with a reset (RST) instead of a FIN.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Ends all calls that wait.
  func stop() {
    state.withLock { if !$0.isClosed { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  /// - Returns: The next bytes; `nil` if the client has closed.
  private func read() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count > 0 { return Data(buffer[..<count]) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  /// - Returns: Whether the client closes within an interval. It sends nothing after its request.
  private func waitsForClose(milliseconds: Int32) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, milliseconds) > 0
  }
}
