import Timeline

/// Writes the transcript of a run in real time, line by line while it happens.
///
/// Its unit and its column widths are fixed, because later events aren't known yet.
struct LiveReport: Sendable {
  private let heading: String
  private let program: Program
  private let style: TerminalStyle

  init(of scenario: Scenario, _ program: Program) {
    let terminal = Terminal.standardOutput
    (heading, style) = (scenario.heading(width: terminal.width), terminal.style)
    self.program = program
  }

  func begin() { program.write(heading) }

  func begin(_ part: Scenario.Part, isFirst: Bool) {
    program.write((isFirst ? "" : "\n") + style.paint("# \(part.title)", as: .title) + "\n")
  }

  func write(_ event: Timeline.Event) {
    guard event.isInTranscript else { return }
    program.write(
      event.transcriptLine(timesIn: .milliseconds, timeWidth: 7, laneWidth: 10, in: style) + "\n")
  }
}
