import Streams
import Timeline

/// A text output stream that writes each line to the record of a world.
///
/// The operator `print(_:to:)` describes values with `stableText(_:)` there, as all of the record
/// does. Elsewhere, it prints them as Swift does.
public struct Console: TextOutputStream {
  let timeline: Timeline
  private var line = ""

  /// Makes a stream that writes to a timeline.
  public init(timeline: Timeline) { self.timeline = timeline }

  /// Writes text. A line is recorded when it ends.
  public mutating func write(_ text: String) {
    var parts = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rest = parts.removeLast()
    for part in parts {
      timeline.record(.printed(stableText(line + part)), in: .console)
      line = ""
    }
    line += rest
  }
}

extension Console: DescribingOutputStream {
  package func text(describing value: Any) -> String { stableText(value) }
}
