import Timeline

/// What the user asked a scenario's program for.
struct CommandLineOptions: Equatable {
  /// What to show of the run.
  enum OutputFormat: Equatable {
    case transcript
    case marbles
    case trace
    case help
  }

  /// What is wrong with a command line.
  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private(set) var format = OutputFormat.transcript
  private(set) var mode = World.Mode.virtual
  private(set) var flags: Set<Scenario.Flag> = []

  /// Reads the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - flags: What may be given beside what every scenario has.
  ///   - refusesServers: Why `--server` may not be given; `nil` if it may.
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
          throw UsageError(description: "--server is not for this scenario: \(refusesServers)")
        }
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
      case (_, .some) where known.contains(name):
        throw UsageError(description: "\(name) takes no value: leave out what follows it")
      default:
        // Without a value: nobody knows what that may be.
        throw UsageError(
          description: "unknown argument \(name.debugDescription): "
            + "use \(known.joined(separator: ", ")), --help, or nothing at all")
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

  private static let formats: [String: OutputFormat] = [
    "--marbles": .marbles, "--trace": .trace, "--help": .help, "-h": .help,
  ]
}

extension CommandLineOptions.OutputFormat {
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
