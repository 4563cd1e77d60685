import Streams
import VirtualTime

/// A log of lines. Any thread may append and read.
final class History: Sendable {
  private let state = Locked<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func append(_ line: String) { state.withLock { $0.append(line) } }
}

extension VirtualTimeScheduler {
  /// Runs all work due up to a moment, one action at a time, and returns what each step says.
  func steps(until moment: VirtualTime = .max) -> [String] {
    var lines: [String] = []
    while let due = firstDue, due <= moment, let entry = step() { lines.append("\(entry)") }
    return lines
  }
}
