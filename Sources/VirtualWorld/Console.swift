import Timeline

/// A text output stream that writes each line to the record of a world.
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
      timeline.record(.printed(line + part), in: .console)
      line = ""
    }
    line += rest
  }
}
