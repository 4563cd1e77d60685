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
  private let paths: [String: Behaviour]
  private let limits: Limits
  private let turns: Mutex<RunTurns>

  init(_ paths: [String: Behaviour], limits: Limits = .standard) {
    self.paths = paths
    self.limits = limits
    turns = Mutex(RunTurns(limit: limits.runs))
  }

  /// Returns whether a run may have this name: a few letters, digits, and `.`, `-` or `_`.
  func accepts(run: String?) -> Bool {
    guard let run else { return true }
    return run.utf8.count <= limits.runNameBytes && run.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil
  }

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
    case .inTurn(let responses):
      let turn = turns.withLock { $0.next(run: run ?? "", path: key) }
      return responses[turn % responses.count]
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
    try await pause(for: head.latency)
    var headers = HTTPFields()
    headers[.contentType] = head.type
    for (name, value) in head.headers {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    let length: Int? =
      switch head.framing {
      case .contentLength(let length): length
      case .chunked: nil
      }
    return Response(
      status: .init(code: head.status), headers: headers,
      body: ResponseBody(contentLength: length) { [chunks, end] writer in
        for chunk in chunks {
          try await pause(for: chunk.pause)
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
      try await pause(for: delay)
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
