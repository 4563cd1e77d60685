import Foundation
import ServerTestSupport
import Testing

/// A client can hold a connection for a bounded time only, and all clients a bounded number.
@Suite struct SlowClientTests {
  private let tooSlow = #"408 {"error":true,"reason":"the request took more than 1 s"}"#

  @Test(arguments: [
    "", "GET /headline HTTP/1.1\r\nHost: a\r\nA: ",
    "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
    "POST /users HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
  ])
  func aRequestThatNeverEndsIsRefused(_ request: String) throws {
    let server = try RunningServer(limits: ["requestSeconds": 1])
    let connection = try RawConnection(to: server.base)
    connection.send(request)
    let received = connection.read()
    #expect(received.summary == tooSlow)
    #expect(received.end == .closed)
  }

  /// The time is that of the whole request. It doesn't start again with each byte.
  @Test func aRequestThatArrivesByteByByteIsRefused() throws {
    let server = try RunningServer(limits: ["requestSeconds": 1])
    let connection = try RawConnection(to: server.base)
    connection.send("GET /headline HTTP/1.1\r\nHost: a\r\nA: ")
    var received = RawConnection.Received(text: "", end: .open)
    // The response may arrive in several pieces.
    for _ in 1...400 where received.end == .open {
      if received.text.isEmpty { connection.send("a") }
      let next = connection.read(patience: 50)
      received = RawConnection.Received(text: received.text + next.text, end: next.end)
    }
    #expect(received.summary == tooSlow)
  }

  /// The path waits ten seconds before its second chunk. The time includes the server's own work,
  /// so it's enough for the first chunk on a busy machine.
  @Test func aResponseThatTakesTooLongIsCutOff() throws {
    let server = try RunningServer(limits: ["responseSeconds": 4])
    let connection = try RawConnection(to: server.base)
    connection.send("GET /page/slow HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(connection.read().summary == "200 <h1>Notes</h1>")
  }

  /// While as many connections are open as the server allows, others wait.
  @Test func furtherConnectionsWait() throws {
    let server = try RunningServer(limits: ["connections": 8, "requestSeconds": 600])
    let idle = try (1...40).map { _ in try RawConnection(to: server.base) }
    let late = try RawConnection(to: server.base)
    late.send("GET /headline HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(late.read(patience: 500) == RawConnection.Received(text: "", end: .open))
    for connection in idle { connection.close() }
    #expect(late.read().summary == "200 Engine weaves algebra")
  }

  /// One client can't take all connections. The server hangs up on it, and serves others.
  @Test func furtherConnectionsOfAClientAreClosed() throws {
    let server = try RunningServer(limits: ["connectionsPerClient": 3, "requestSeconds": 600])
    // The server's consent to the body shows that it has the connection.
    let consent = "HTTP/1.1 100 Continue\r\n\r\n"
    let idle = try (1...3).map { _ in
      let connection = try RawConnection(to: server.base)
      connection.send(
        "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(connection.read(count: consent.utf8.count).text == consent)
      return connection
    }
    for _ in 1...5 {
      let further = try RawConnection(to: server.base)
      let received = further.read()
      #expect(received.text == "")
      #expect(received.end != .open)
    }
    let other = try RawConnection(to: server.base, from: "127.0.0.2")
    other.send("GET /headline HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(other.read().summary == "200 Engine weaves algebra")
    // A connection that's closed makes room for another.
    idle[0].finishSending()
    #expect(idle[0].read().end == .closed)
    var response = ""
    for _ in 1...1_000 where response.isEmpty {
      let next = try RawConnection(to: server.base)
      next.send("GET /headline HTTP/1.1\r\nHost: a\r\n\r\n")
      response = next.read().summary
      // The server may need some time to find out.
      if response.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
    }
    #expect(response == "200 Engine weaves algebra")
  }

  /// A flood of clients that never end their requests doesn't keep others out.
  @Test func waitingConnectionsAreServedOnceOthersHaveTakenTooLong() throws {
    let server = try RunningServer(limits: ["connections": 8, "requestSeconds": 1])
    let idle = try (1...20).map { _ in try RawConnection(to: server.base) }
    let late = try RawConnection(to: server.base)
    late.send("GET /headline HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(late.read().summary == "200 Engine weaves algebra")
    for connection in idle { connection.close() }
  }

  /// The server reserves files for the database, so a flood of connections can't take them all.
  @Test func theServerKeepsFilesForItself() throws {
    let server = try RunningServer(in: TemporaryFolder()) { database in
      try Program(
        URL(fileURLWithPath: "/bin/sh"),
        [
          "-c", #"ulimit -n 100; exec "$0" "$@""#, serverProgram.path, "--port", "0", "--database",
          database,
        ])
    }
    let idle = try (1...150).map { _ in try RawConnection(to: server.base) }
    let late = try RawConnection(to: server.base)
    late.send("GET /headline HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(late.read(patience: 500) == RawConnection.Received(text: "", end: .open))
    let files = try FileManager.default
      .contentsOfDirectory(atPath: "/proc/\(server.program.processID)/fd").count
    #expect(files < 90)
    for connection in idle { connection.close() }
    #expect(late.read().summary == "200 Engine weaves algebra")
  }
}
