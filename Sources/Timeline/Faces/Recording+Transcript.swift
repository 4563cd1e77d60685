extension Timeline.Recording {
  /// What happened as a list to read: one line an event, with its time, lane and thread.
  ///
  /// ```
  ///     0  request 1  GET https://api.example.com/users/1
  /// 120ms  request 1  200 OK, 44 bytes
  /// 120ms  user       value Ada  [main]
  /// ```
  ///
  /// Times are aligned to the right, lanes to the left. Each part stands under its title. Line
  /// breaks and control characters in texts are shown as escapes, `\n`.
  ///
  /// - Returns: Lines that each end in a newline; `No events.` if there are none.
  public func transcript() -> String {
    guard !parts.isEmpty else { return "No events.\n" }
    let timeWidth = events.map(\.time.description.count).max() ?? 0
    let laneWidth = lanes.map(\.name.onOneLine.count).max() ?? 0
    let blocks = parts.map { part in
      let title = part.title.map { ["# \($0.onOneLine)"] } ?? []
      let events = part.events.map {
        $0.transcriptLine(timeWidth: timeWidth, laneWidth: laneWidth)
      }
      return (title + events).map { $0 + "\n" }.joined()
    }
    let text = blocks.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? "No events.\n" : text
  }
}

extension Timeline.Event {
  /// The event's line in a transcript, without an end of line.
  ///
  /// - Parameters:
  ///   - timeWidth: How many characters the time takes, or more if it needs them.
  ///   - laneWidth: How many characters the lane's name takes, or more if it needs them.
  package func transcriptLine(timeWidth: Int, laneWidth: Int) -> String {
    let time = time.description.alignedRight(in: timeWidth)
    let lane = lane.name.onOneLine.padded(to: laneWidth)
    let thread = thread.map { "  [\($0.onOneLine)]" } ?? ""
    return "\(time)  \(lane)  \(kind.description.onOneLine)\(thread)".withoutTrailingSpaces
  }
}
