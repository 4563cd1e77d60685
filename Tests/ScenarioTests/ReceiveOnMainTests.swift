import TestSupport
import Testing

@Suite struct ReceiveOnMainTests {
  /// A server that loses a connection isn't a reason to stop the program.
  @Test func aFailedRequestIsShown() async throws {
    let server = try LoopbackServer.behindIdentity(.reset)
    let result = try await runExecutable("receive-on-main", arguments: ["--server", server.url])
    withExtendedLifetime(server) {}
    #expect(result.status == 0)
    #expect(result.stderr == "")
    let lines = result.stdout.split(separator: "\n").map {
      $0.replacing(/^ *\d+ms +/, with: "").replacing(server.url, with: "SERVER")
    }
    #expect(
      lines.dropFirst().prefix(4) == [
        "# DispatchQueue.main",
        "request 1   GET SERVER/status  [world]",
        "request 1   failed: networkConnectionLost  [world]",
        "console     completion: failure(URLError.networkConnectionLost) - on the main thread? true"
          + "  [main]",
      ])
  }
}
