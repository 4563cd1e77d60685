import Timeline

/// The command-line options of a scenario's program.
struct CommandLineOptions: Equatable {
  /// The format in which to show the run.
  enum OutputFormat: Equatable {
    case transcript
    case marbles
    case trace
    case help
  }

  /// The reason why a command line is wrong.
  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private(set) var format = OutputFormat.transcript
  private(set) var mode = World.Mode.virtual
  private(set) var flags: Set<Scenario.Flag> = []

  /// Parses the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - flags: The scenario's own flags.
  ///   - refusesServers: Why the scenario can't use `--server`; `nil` if it can.
  /// - Throws: ``UsageError`` with one line for the user.
  init(
    _ arguments: some Sequence<String>, flags: [Scenario.Flag] = [], refusesServers: String? = nil
  ) throws(UsageError) {
    let server = refusesServers == nil ? ["--server URL"] : []
    let known = ["--marbles", "--trace", "--real-time"] + server + flags.map(\.argument)
    var rest = arguments.makeIterator()
    var givenFormat: String?
    var givenMode: String?
    while let argument = rest.next() {
      if let format = Self.formats[argument] {
        try Self.check(argument, against: &givenFormat)
        self.format = format
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
        if let refusesServers {
          throw UsageError(description: "this scenario can't use --server: \(refusesServers)")
        }
        guard let url = value ?? rest.next(), !url.hasPrefix("-") else {
          throw UsageError(description: "--server needs a URL. \(ServerURL.example)")
        }
        let server = World.Mode.server(try ServerURL(url))
        guard givenMode != name || mode == server else {
          throw UsageError(description: "--server is given twice. Use only one server")
        }
        mode = server
      case (_, .some) where known.contains(name):
        throw UsageError(
          description: "\(name) doesn't take a value. Leave out the = and the text after it")
      default:
        // The message leaves out the value, because that may be a secret.
        throw UsageError(
          description: "unknown argument \(name.debugDescription). "
            + "Use \(known.joined(separator: ", ")), --help, or no argument")
      }
      try Self.check(name, against: &givenMode)
    }
  }

  /// Splits an argument such as `--server=URL` into name and value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  private static func check(
    _ argument: String, against given: inout String?
  ) throws(UsageError) {
    if let given, given != argument {
      throw UsageError(
        description: "\(given) and \(argument) can't be combined. Use only one of them")
    }
    given = argument
  }

  private static let formats: [String: OutputFormat] = [
    "--marbles": .marbles, "--trace": .trace, "--help": .help, "-h": .help,
  ]
}

extension CommandLineOptions.OutputFormat {
  /// Returns a recording in this format.
  func draw(_ recording: Timeline.Recording, of scenario: Scenario) -> String {
    switch self {
    case .help: ""
    case .transcript: scenario.heading + recording.filter(\.isInTranscript).transcript()
    case .marbles: scenario.heading + recording.marbles()
    case .trace: recording.trace()
    }
  }
}

extension Scenario {
  /// The heading of a transcript or a marble diagram.
  var heading: String { "\(name): \(summary)\n\n" }
}

extension Timeline.Event {
  /// Whether a scenario's transcript shows the event. It leaves out lanes: they are for diagrams.
  var isInTranscript: Bool {
    switch lane.role {
    case .console, .request: true
    case .source, .operator, .subscriber, .queue: false
    }
  }
}
