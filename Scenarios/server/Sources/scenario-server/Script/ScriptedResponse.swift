import Foundation

/// The behaviour of one path of the server.
enum Behaviour: Sendable {
  /// Sends the same response to every request.
  case response(ScriptedResponse)
  /// Sends one response after another, and starts again after the last one.
  case inTurn([ScriptedResponse])
}

/// A response from the script: a head, a body in chunks, and an end.
struct ScriptedResponse: Sendable {
  struct Head: Sendable {
    var status = 200
    var type: String
    /// The `Content-Length`. If it's `nil`, the body comes in HTTP's chunks.
    var length: Int?
    /// How long to wait before writing anything.
    var latency: Duration = .zero
  }

  /// Bytes that are written in one piece.
  struct Chunk: Sendable {
    let bytes: Data
    /// How long to wait before writing them.
    let pause: Duration

    init(_ bytes: Data, after pause: Duration = .zero) {
      self.bytes = bytes
      self.pause = pause
    }

    init(_ text: String, after pause: Duration = .zero) {
      self.init(Data(text.utf8), after: pause)
    }
  }

  enum End: Sendable {
    /// The response is complete.
    case complete
    /// The connection is reset after a pause.
    case reset(after: Duration)
  }

  var head: Head?
  let chunks: [Chunk]
  var end = End.complete

  /// No response: the connection is reset instead.
  static let lost = ScriptedResponse(head: nil, chunks: [], end: .reset(after: .zero))
}

extension ScriptedResponse {
  /// The same response without a `Content-Length`.
  var inChunks: ScriptedResponse {
    var response = self
    response.head?.length = nil
    return response
  }

  static func data(
    _ data: Data, type: String, status: Int = 200, after latency: Duration = .zero
  ) -> ScriptedResponse {
    ScriptedResponse(
      head: Head(status: status, type: type, length: data.count, latency: latency),
      chunks: [Chunk(data)])
  }

  static func json(
    _ text: String, status: Int = 200, after latency: Duration = .zero
  ) -> ScriptedResponse {
    data(Data(text.utf8), type: "application/json", status: status, after: latency)
  }

  static func text(_ text: String, after latency: Duration = .zero) -> ScriptedResponse {
    data(Data(text.utf8), type: "text/plain; charset=utf-8", after: latency)
  }
}
