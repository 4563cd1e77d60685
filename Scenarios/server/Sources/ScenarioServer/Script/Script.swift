import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle
import Synchronization

/// Gives the answers of a table of paths.
///
/// All it remembers is, for each run of a scenario, whose turn it is at a path that answers in
/// turn.
final class Script: Sendable {
  private let paths: [String: Behaviour]
  private let turns = Mutex<[Turn: Int]>([:])

  private struct Turn: Hashable {
    let run: String?
    let path: String
  }

  init(_ paths: [String: Behaviour]) { self.paths = paths }

  /// What there is to answer now; `nil` if the table does not know the path.
  ///
  /// - Parameters:
  ///   - uri: What was asked for.
  ///   - run: Whose turns these are.
  func answer(to uri: URI, run: String?) -> ScriptedAnswer? {
    let chunked = "/chunked"
    guard uri.path.hasPrefix(chunked + "/") else { return answer(to: uri.path, uri.query, run) }
    return answer(to: String(uri.path.dropFirst(chunked.count)), uri.query, run)?.inChunks
  }

  private func answer(to path: String, _ query: String?, _ run: String?) -> ScriptedAnswer? {
    let key = query.map { "\(path)?\($0)" }.flatMap { paths[$0] == nil ? nil : $0 } ?? path
    switch paths[key] {
    case nil: return nil
    case .answer(let answer): return answer
    case .inTurn(let answers):
      let turn = turns.withLock { turns in
        // Runs end without a word; nobody is still at one so many runs ago.
        if turns.count > 10_000 { turns = [:] }
        let turn = Turn(run: run, path: key)
        defer { turns[turn, default: 0] += 1 }
        return turns[turn, default: 0]
      }
      return answers[turn % answers.count]
    }
  }
}

extension ScriptedAnswer {
  /// The answer as a response, once its latency has gone by.
  ///
  /// - Parameter channel: The connection to break, where the answer does so.
  func response(on channel: any Channel) async throws -> Response {
    guard let head else {
      try await end.carryOut(on: channel)
      // Nobody is there to read it.
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
        try await end.carryOut(on: channel)
        try await writer.finish(nil)
      })
  }
}

extension ScriptedAnswer.End {
  fileprivate func carryOut(on channel: any Channel) async throws {
    switch self {
    case .whole: break
    case .reset(let delay):
      try await pause(for: delay)
      try await channel.reset()
    }
  }
}

/// Lets time go by, but not longer than the server runs.
private func pause(for duration: Duration) async throws {
  guard duration > .zero else { return }
  try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
}

extension Channel {
  /// Breaks the connection: the client's next read fails.
  ///
  /// What a URLSession on Linux (Swift 6.3) makes of the ways in which a connection can end early:
  ///
  /// | the server | before the head | within the body |
  /// |---|---|---|
  /// | closes (FIN) | `.badServerResponse` | `.unknown` |
  /// | closes within the head | the client's process traps | |
  /// | resets (RST) | `.networkConnectionLost` | `.networkConnectionLost` |
  ///
  /// Only a reset looks like what it stands for, so this sends one: a socket that is closed without
  /// lingering does.
  fileprivate func reset() async throws {
    if let socket = self as? any SocketOptionProvider {
      try await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try await close()
  }
}
