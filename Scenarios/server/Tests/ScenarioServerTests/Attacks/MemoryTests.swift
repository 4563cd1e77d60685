import Foundation
import ServerTestSupport
import Testing

/// A client can't make the server hold more than a bounded amount of memory.
@Suite struct MemoryTests {
  /// The path takes ten seconds. A request that went on without its client would keep its body.
  @Test func nothingIsLeftOfAClientThatHangsUp() throws {
    let server = try RunningServer()
    let body = String(repeating: " ", count: 65_536)
    let request =
      "GET /users/ada/slow HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    let clients = 1_500
    for _ in 1...clients {
      let connection = try RawConnection(to: server.base)
      connection.send(request)
      connection.reset()
    }
    // The server itself takes 50 MB. With all requests, it took 230 MB.
    let memory = try #require(server.program.peakMemory)
    #expect(memory < 150_000_000)
  }

  /// The extension of a chunk isn't part of the body, but has a limit too.
  @Test func aRequestIsBoundedAsItIsSent() throws {
    let server = try RunningServer()
    let connection = try RawConnection(to: server.base)
    connection.send("POST /todos HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;")
    let piece = String(repeating: "x", count: 65_536)
    var sent = 0
    // The system keeps some of it, even after the server has closed the connection.
    while sent < 1_000, connection.send(piece) { sent += 1 }
    #expect(sent < 1_000)
  }
}
