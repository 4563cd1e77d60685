import Timeline

/// What the user asked a scenario's program for.
struct CommandLineOptions: Equatable {
  /// What to show of the run.
  enum Face: Equatable {
    case transcript
    case marbles
    case trace
    case help
  }

  /// What is wrong with a command line.
  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private(set) var face = Face.transcript

  /// Reads the arguments after the program's name.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var chosen: String?
    for argument in arguments {
      guard let face = Self.faces[argument] else {
        throw UsageError(
          description: "unknown argument \"\(argument)\": "
            + "use --marbles, --trace, --help, or nothing at all")
      }
      if let chosen, chosen != argument {
        throw UsageError(
          description: "\(chosen) and \(argument) exclude each other: use one of them")
      }
      chosen = argument
      self.face = face
    }
  }

  private static let faces: [String: Face] = [
    "--marbles": .marbles, "--trace": .trace, "--help": .help, "-h": .help,
  ]
}

extension CommandLineOptions.Face {
  /// Draws a recording.
  func draw(_ recording: Timeline.Recording, of scenario: Scenario) -> String {
    switch self {
    case .help: ""
    case .transcript: "\(scenario.name): \(scenario.summary)\n\n\(recording.transcript())"
    case .marbles: "\(scenario.name): \(scenario.summary)\n\n\(recording.marbles())"
    case .trace: recording.trace()
    }
  }
}
