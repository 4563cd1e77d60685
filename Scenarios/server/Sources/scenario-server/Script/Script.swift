import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Responds to requests from a table of paths.
///
/// For a path with several responses, it counts the requests of each run of a scenario on its own.
final class Script: Sendable {
  /// The server isn't told when a run ends. With more runs than that, all counts begin again.
  private static let mostRuns = 10_000

  private let paths: [String: Behaviour]
  /// The number of requests so far: by run, then by path.
  private let turns = Mutex<[String: [String: Int]]>([:])

  init(_ paths: [String: Behaviour]) { self.paths = paths }

  /// Returns the response to the next request, or `nil` if the path isn't in the table.
  ///
  /// - Parameters:
  ///   - uri: The path and query of the request.
  ///   - run: The run of a scenario that sent it; `nil` if it doesn't say.
  func response(to uri: URI, run: String?) -> ScriptedResponse? {
    let chunked = "/chunked"
    guard uri.path.hasPrefix(chunked + "/") else { return response(to: uri.path, uri.query, run) }
    return response(to: String(uri.path.dropFirst(chunked.count)), uri.query, run)?.inChunks
  }

  private func response(to path: String, _ query: String?, _ run: String?) -> ScriptedResponse? {
    let key = query.map { "\(path)?\($0)" }.flatMap { paths[$0] == nil ? nil : $0 } ?? path
    switch paths[key] {
    case nil: return nil
    case .response(let response): return response
    case .inTurn(let responses): return responses[nextTurn(run ?? "", key) % responses.count]
    }
  }

  private func nextTurn(_ run: String, _ path: String) -> Int {
    turns.withLock { turns in
      if turns[run] == nil, turns.count == Self.mostRuns { turns = [:] }
      let turn = turns[run, default: [:]][path, default: 0]
      turns[run, default: [:]][path] = turn + 1
      return turn
    }
  }
}

extension ScriptedResponse {
  /// Waits for the latency and returns the response to send.
  ///
  /// - Parameter channel: The connection, which some responses reset.
  func makeResponse(on channel: any Channel) async throws -> Response {
    guard let head else {
      try await end.perform(on: channel)
      // The connection is gone, so this isn't sent.
      return Response(status: .serviceUnavailable)
    }
    try await Task.sleep(for: head.latency)
    return Response(
      status: .init(code: head.status), headers: [.contentType: head.type],
      body: ResponseBody(contentLength: head.length) { [chunks, end] writer in
        for chunk in chunks {
          try await Task.sleep(for: chunk.pause)
          try await writer.write(ByteBuffer(bytes: chunk.bytes))
        }
        try await end.perform(on: channel)
        try await writer.finish(nil)
      })
  }
}

extension ScriptedResponse.End {
  fileprivate func perform(on channel: any Channel) async throws {
    switch self {
    case .complete: break
    case .reset(let delay):
      try await Task.sleep(for: delay)
      try await channel.reset()
    }
  }
}

extension Channel {
  /// Resets the connection, so that the client's next read fails.
  ///
  /// A connection can end early in several ways. A URLSession on Linux (Swift 6.3) reports them as:
  ///
  /// | The server | Before the head | Within the body |
  /// |---|---|---|
  /// | closes (FIN) | `.badServerResponse` | `.unknown` |
  /// | closes within the head | the client's process traps | |
  /// | resets (RST) | `.networkConnectionLost` | `.networkConnectionLost` |
  ///
  /// Only a reset is reported as a lost connection. To send one, this closes the socket with a
  /// linger time of zero.
  fileprivate func reset() async throws {
    if let socket = self as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try await close()
  }
}
