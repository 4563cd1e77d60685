import Foundation
import ServerTestSupport

@testable import ScenarioServer

/// Runs a server with other limits in this process, and ends it when the body returns.
///
/// - Parameter body: Receives the server's base URL.
func withServer(
  _ change: (inout Limits) -> Void, _ body: (_ base: String) async throws -> Void
) async throws {
  var limits = Limits()
  change(&limits)
  let folder = try TemporaryFolder()
  let (lines, continuation) = AsyncStream.makeStream(of: String.self)
  let server = ScenarioServer(
    host: "127.0.0.1", port: 0, database: folder.path("test.sqlite"), tokenLifetime: 3600,
    limits: limits)
  let running = Task {
    defer { continuation.finish() }
    try await server.run(stopsAtSignals: false) { continuation.yield($0) }
  }
  do {
    for await line in lines {
      let words = line.split(separator: " ")
      try await body(words.count > 2 ? String(words[2]) : line)
      break
    }
  } catch {
    running.cancel()
    try? await running.value
    throw error
  }
  running.cancel()
  try await running.value
}
