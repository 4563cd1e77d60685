import Streams
import Timeline

/// Prints to the record of the world that runs; it takes the place of Swift's `print`.
///
/// Items are put into words that are the same in every run: an error by its name, a response by its
/// status, data by its size, everything else as Swift prints it. Outside a world it prints to the
/// standard output.
///
/// - Parameters:
///   - items: What to print.
///   - separator: What stands between two items.
///   - terminator: What stands behind the last; a line that has none yet waits for it only outside
///     a world.
public func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let text = items.map(stableText).joined(separator: separator)
  guard let timeline = World.current.withLock({ $0 }) else {
    return Swift.print(text, terminator: terminator)
  }
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    timeline.record(.printed(String(line)), in: .console)
  }
}

/// A stream of text that writes each line to the record of a world.
public struct Console: TextOutputStream {
  let timeline: Timeline
  private var line = ""

  init(timeline: Timeline) { self.timeline = timeline }

  /// Writes text; a line is recorded when it ends.
  public mutating func write(_ text: String) {
    var parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = parts.removeLast()
    for part in parts {
      timeline.record(.printed(line + part), in: .console)
      line = ""
    }
    line += rest
  }
}
