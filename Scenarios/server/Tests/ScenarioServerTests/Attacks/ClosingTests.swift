import Foundation
import ServerTestSupport
import Testing

/// After a response, the connection is closed soon, and the client can read the response.
@Suite struct ClosingTests {
  private let head = "POST /users HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n"
  private let tooLarge = #"413 {"error":true,"reason":"the body is larger than 64 KiB"}"#

  /// Sends single bytes until the connection breaks, or a thousand.
  private func breaks(_ connection: RawConnection) -> Bool {
    for _ in 1...1_000 {
      guard connection.send("x") else { return true }
      usleep(20_000)
    }
    return false
  }

  @Test(arguments: [
    "POST /users HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n", "GARBAGE\r\n\r\n",
  ])
  func aClientThatDoesNotCloseIsCutOffAfterARefusal(_ request: String) async throws {
    try await withServer {
      $0.drainSeconds = 1
    } _: { base in
      let connection = try RawConnection(to: base)
      connection.send(request)
      #expect(connection.read().end == .closed)
      #expect(breaks(connection))
    }
  }

  @Test func aClientThatDoesNotCloseIsCutOffAfterAResponse() async throws {
    try await withServer {
      $0.drainSeconds = 1
    } _: { base in
      let connection = try RawConnection(to: base)
      connection.send("GET /headline HTTP/1.1\r\n\r\n")
      #expect(connection.read().summary == "200 Engine weaves algebra")
      #expect(breaks(connection))
    }
  }

  /// The server drops a bounded number of bytes, no matter how fast they come.
  @Test func aClientThatDoesNotStopSendingIsCutOff() async throws {
    try await withServer {
      $0.drainSeconds = 600
      $0.drainBytes = 1 << 20
    } _: { base in
      let connection = try RawConnection(to: base)
      connection.send(head)
      let block = [UInt8](repeating: 0, count: 1 << 16)
      // 64 MiB, which is more than the system's buffers hold.
      var blocks = 0
      while blocks < 1_024, connection.send(block) { blocks += 1 }
      #expect(blocks < 1_024)
    }
  }

  /// A client that reads only when it has sent everything.
  @Test func aClientThatIsStillSendingCanReadItsRefusal() async throws {
    try await withServer {
      $0.drainSeconds = 600
    } _: { base in
      let connection = try RawConnection(to: base)
      #expect(connection.send(head))
      for _ in 1...30 { #expect(connection.send([UInt8](repeating: 0, count: 1 << 16))) }
      let received = connection.read()
      #expect(received.summary == tooLarge)
      #expect(received.end == .closed)
    }
  }
}
