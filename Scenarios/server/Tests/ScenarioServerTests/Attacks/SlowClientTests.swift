import Foundation
import ServerTestSupport
import Testing

/// A client can hold a connection for a bounded time only.
@Suite struct SlowClientTests {
  private let tooSlow = #"408 {"error":true,"reason":"the request took more than 1 s"}"#

  @Test(arguments: [
    "", "GET /headline HTTP/1.1\r\nA: ",
    "POST /users HTTP/1.1\r\nContent-Length: 100\r\n\r\n{",
    "POST /users HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
  ])
  func aRequestThatNeverEndsIsRefused(_ request: String) throws {
    let server = try RunningServer(limits: [
      "requestSeconds": 1, "requestSeconds": 1, "responseSeconds": 1, "connections": 8,
      "requestSeconds": 600,
    ])
    let idle = try (1...40).map { _ in try RawConnection(to: server.base) }
    let late = try RawConnection(to: server.base)
    late.send("GET /headline HTTP/1.1\r\n\r\n")
    #expect(late.read(patience: 500) == RawConnection.Received(text: "", end: .open))
    for connection in idle { connection.close() }
    #expect(late.read().summary == "200 Engine weaves algebra")
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
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.program.id)/fd")
      .count
    #expect(open < 90)
    for connection in idle { connection.close() }
    let late = try RawConnection(to: server.base)
    late.send("GET /headline HTTP/1.1\r\n\r\n")
    #expect(late.read().summary == "200 Engine weaves algebra")
  }
}
