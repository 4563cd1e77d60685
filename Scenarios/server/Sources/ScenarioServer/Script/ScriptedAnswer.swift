import Foundation

/// What a path of the server does, whoever asks.
enum Behaviour: Sendable {
  /// Answers each request alike.
  case answer(ScriptedAnswer)
  /// Answers one request after the other, and begins again after the last of these.
  case inTurn([ScriptedAnswer])
}

/// An answer that is known before anybody asks.
struct ScriptedAnswer: Sendable {
  /// Bytes that are written at once.
  struct Chunk: Sendable {
    let bytes: Data
    /// What goes by before they are written.
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
    /// There is no more to come.
    case whole
    /// The connection breaks after a pause.
    case reset(after: Duration)
  }

  /// How the client learns where the body ends.
  enum Framing: Sendable {
    case contentLength(Int)
    case chunked
  }

  /// Nothing at all: the connection breaks instead.
  static let lost = ScriptedAnswer(head: nil, chunks: [], end: .reset(after: .zero))

  struct Head: Sendable {
    var status = 200
    var type: String
    var headers: [String: String] = [:]
    var framing: Framing
    /// What goes by before anything is written.
    var latency: Duration = .zero
  }

  var head: Head?
  let chunks: [Chunk]
  var end = End.whole
}

extension ScriptedAnswer {
  /// The same, without saying beforehand how long it is.
  var inChunks: ScriptedAnswer {
    var answer = self
    answer.head?.framing = .chunked
    return answer
  }

  static func data(
    _ data: Data, type: String, status: Int = 200, headers: [String: String] = [:],
    after latency: Duration = .zero
  ) -> ScriptedAnswer {
    ScriptedAnswer(
      head: Head(
        status: status, type: type, headers: headers, framing: .contentLength(data.count),
        latency: latency),
      chunks: [Chunk(data)])
  }

  static func json(
    _ text: String, status: Int = 200, after latency: Duration = .zero
  ) -> ScriptedAnswer {
    data(Data(text.utf8), type: "application/json", status: status, after: latency)
  }

  static func text(
    _ text: String, status: Int = 200, headers: [String: String] = [:],
    after latency: Duration = .zero
  ) -> ScriptedAnswer {
    data(
      Data(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers,
      after: latency)
  }
}
