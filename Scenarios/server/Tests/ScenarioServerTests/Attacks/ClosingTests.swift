import Foundation
import ServerTestSupport
import Testing

/// After a response, the connection is closed soon, and the client can read the response.
@Suite struct ClosingTests {
  private let head = "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n"
  private let tooLarge = #"413 {"error":true,"reason":"the body is larger than 64 KiB"}"#
  private let block = [UInt8](repeating: 0, count: 1 << 16)

  /// Sends single bytes until the connection breaks, or a thousand.
  private func breaks(_ connection: RawConnection) -> Bool {
    for _ in 1...1_000 {
      guard connection.send("x") else { return true }
      usleep(20_000)
    }
    return false
  }

  @Test(arguments: [
    "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n", "GARBAGE\r\n\r\n",
    "GET /headline HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func aClientThatDoesNotCloseIsCutOff(_ request: String) throws {
    let server = try RunningServer(limits: ["drainSeconds": 1])
    let connection = try RawConnection(to: server.base)
    connection.send(request)
    let received = connection.read()
    #expect(received.text.hasPrefix("HTTP/1.1 "))
    #expect(received.end == .closed)
    #expect(breaks(connection))
  }

  /// The server drops a bounded number of bytes, no matter how fast they come.
  @Test(arguments: [
    "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n", "GARBAGE\r\n\r\n",
    "GET /headline HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func aClientThatDoesNotStopSendingIsCutOff(_ request: String) throws {
    let server = try RunningServer(limits: ["drainSeconds": 600, "drainBytes": 1 << 20])
    let connection = try RawConnection(to: server.base)
    connection.send(request)
    // 64 MiB, which is more than the system's buffers hold.
    var blocks = 0
    while blocks < 1_024, connection.send(block) { blocks += 1 }
    #expect(blocks < 1_024)
  }

  /// A client that reads only when it has sent everything.
  @Test func aClientThatIsStillSendingCanReadItsRefusal() throws {
    let server = try RunningServer(limits: ["drainSeconds": 600])
    let connection = try RawConnection(to: server.base)
    #expect(connection.send(head))
    for _ in 1...30 { #expect(connection.send(block)) }
    let received = connection.read()
    #expect(received.summary == tooLarge)
    #expect(received.end == .closed)
  }
}
