import Streams

/// What happened, line by line; from one thread at a time, or from any if only `append` is used.
final class History: Sendable {
  private let state = Locked<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func append(_ line: String) { state.withLock { $0.append(line) } }
}
