import Timeline

/// Writes the transcript of a run in real time, line by line while it happens.
///
/// Its unit and its column widths are fixed, because later events aren't known yet.
struct LiveReport: Sendable {
  /// Whether lines are written during the run. If not, the whole output is written at the end.
  let isOn: Bool
  private let heading: String
  private let program: Program
  private let style = Terminal.standardOutput.style

  init(_ options: CommandLineOptions, of scenario: Scenario, _ program: Program) {
    isOn = options.mode != .virtual && options.format == .transcript
    heading = scenario.heading
    self.program = program
  }

  func begin() { write(heading) }

  func begin(_ part: Scenario.Part, isFirst: Bool) {
    write((isFirst ? "" : "\n") + "# \(part.title)\n")
  }

  func write(_ event: Timeline.Event) {
    guard event.isInTranscript else { return }
    write(
      event.transcriptLine(timesIn: .milliseconds, timeWidth: 7, laneWidth: 10, in: style) + "\n")
  }

  private func write(_ text: String) {
    if isOn { program.write(text) }
  }
}
