extension Timeline.Recording {
  /// The recording as a list to read: one line per event, with its time, lane and thread.
  ///
  /// ```
  ///   0ms  request 1  GET https://api.example.com/users/1
  /// 120ms  request 1  200 OK, 44 bytes
  /// 120ms  user       value Ada  [main]
  /// ```
  ///
  /// Times are written in one unit, the largest in which at least half of them are whole numbers. A
  /// time that isn't has its own unit, such as `1500us`. Each part stands under its title. Line
  /// breaks and control characters in texts are shown as escapes such as `\n`.
  ///
  /// - Returns: Lines that each end in a newline, or `No events.`
  public func transcript() -> String { transcript(in: .plain) }

  /// The recording as a list to read, in a style of a terminal.
  package func transcript(in style: TerminalStyle) -> String {
    guard !parts.isEmpty else { return "No events.\n" }
    let unit = TimeUnit(fitting: events.map(\.time))
    let timeWidth = events.map { unit.text(of: $0.time).count }.max() ?? 0
    let laneWidth = lanes.map(\.name.onOneLine.count).max() ?? 0
    let blocks = parts.map { part in
      let title = part.title.map { [style.paint("# \($0.onOneLine)", as: .title)] } ?? []
      let events = part.events.map {
        $0.transcriptLine(timesIn: unit, timeWidth: timeWidth, laneWidth: laneWidth, in: style)
      }
      return (title + events).map { $0 + "\n" }.joined()
    }
    let text = blocks.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? "No events.\n" : text
  }
}

extension Timeline.Event {
  /// The event's line in a transcript, without the newline.
  ///
  /// - Parameters:
  ///   - unit: The unit of the time.
  ///   - timeWidth: The width of the time's column, in characters. A longer time still fits.
  ///   - laneWidth: The width of the lane's column, in characters. A longer name still fits.
  ///   - style: The style of the terminal.
  package func transcriptLine(
    timesIn unit: TimeUnit, timeWidth: Int, laneWidth: Int, in style: TerminalStyle = .plain
  ) -> String {
    let time = style.paint(unit.text(of: time).alignedRight(in: timeWidth), as: .time)
    let lane = lane.name.onOneLine.padded(to: laneWidth)
    let text = style.paint(kind.description.onOneLine, as: kind.role)
    let thread = thread.map { style.paint("  [\($0.onOneLine)]", as: .time) } ?? ""
    return "\(time)  \(lane)  \(text)\(thread)".withoutTrailingSpaces
  }
}
