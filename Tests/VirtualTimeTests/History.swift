import Streams

/// A log of lines. Any thread may append and read.
final class History: Sendable {
  private let state = Locked<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func append(_ line: String) { state.withLock { $0.append(line) } }
}
