import Timeline

/// The transcript of a run that takes its time, written line by line while it happens.
///
/// Its columns have fixed widths, since nobody knows yet what is to come.
struct LiveReport: Sendable {
  /// Whether there is something to write; otherwise a face is drawn at the end.
  let isOn: Bool

  private let heading: String
  private let program: Program

  init(_ options: CommandLineOptions, of scenario: Scenario, _ program: Program) {
    isOn = options.mode != .virtual && options.face == .transcript
    heading = scenario.heading
    self.program = program
  }

  func begin() { write(heading) }

  func begin(_ part: Scenario.Part, isFirst: Bool) {
    write((isFirst ? "" : "\n") + "# \(part.title)\n")
  }

  func write(_ event: Timeline.Event) {
    write(event.transcriptLine(timeWidth: 7, laneWidth: 10) + "\n")
  }

  private func write(_ text: String) {
    if isOn { program.write(text) }
  }
}
