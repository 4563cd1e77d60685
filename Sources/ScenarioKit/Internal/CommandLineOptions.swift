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
  private(set) var mode = World.Mode.virtual
  private(set) var flags: Set<Scenario.Flag> = []

  /// Reads the arguments after the program's name.
  ///
  /// - Parameter flags: What may be given beside what every scenario has.
  init(
    _ arguments: some Sequence<String>, flags: [Scenario.Flag] = []
  ) throws(UsageError) {
    var rest = arguments.makeIterator()
    var givenFace: String?
    var givenMode: String?
    while let argument = rest.next() {
      if let face = Self.faces[argument] {
        try Self.check(argument, against: &givenFace)
        self.face = face
        continue
      }
      if let flag = flags.first(where: { $0.argument == argument }) {
        self.flags.insert(flag)
        continue
      }
      let (name, value) = Self.split(argument)
      switch (name, value) {
      case ("--real-time", nil):
        mode = .realTime
      case ("--server", _):
        guard let address = value ?? rest.next(), !address.hasPrefix("-") else {
          throw UsageError(
            description: "--server needs a URL: name the server like this: "
              + "--server http://127.0.0.1:8080")
        }
        let server = World.Mode.server(try ServerAddress(address))
        guard givenMode != name || mode == server else {
          throw UsageError(description: "--server is given twice: name one server")
        }
        mode = server
      default:
        throw UsageError(
          description: "unknown argument \"\(argument)\": "
            + "use --marbles, --trace, --real-time, --server URL, "
            + flags.map { $0.argument + ", " }.joined() + "--help, or nothing at all")
      }
      try Self.check(name, against: &givenMode)
    }
  }

  /// Takes `--server=URL` apart.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  private static func check(
    _ argument: String, against given: inout String?
  ) throws(UsageError) {
    if let given, given != argument {
      throw UsageError(
        description: "\(given) and \(argument) exclude each other: use one of them")
    }
    given = argument
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
    case .transcript: scenario.heading + recording.transcript()
    case .marbles: scenario.heading + recording.marbles()
    case .trace: recording.trace()
    }
  }
}

extension Scenario {
  /// What stands above a transcript and above marbles.
  var heading: String { "\(name): \(summary)\n\n" }
}
