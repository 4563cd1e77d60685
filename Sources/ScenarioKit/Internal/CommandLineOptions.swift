import Timeline
import VirtualTime

/// The command-line options of a scenario's program.
struct CommandLineOptions: Equatable {
  /// The format in which to show the run.
  enum OutputFormat: Equatable {
    case transcript
    case marbles
    case trace
    case svg
    case why(event: Int)
    case state(Moment)
    case player(file: String)
    case play
    case parts
    case help

    /// The moment to show; `nil` if it shows a whole run.
    var moment: Moment? { if case .state(let moment) = self { moment } else { nil } }
  }

  /// The reason why a command line is wrong.
  struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private(set) var format = OutputFormat.transcript
  private(set) var mode = World.Mode.virtual
  /// How long a run with a server may take, in seconds.
  private(set) var timeLimit = TimeLimit.standardSeconds
  /// The number of the only part to show; `nil` for all parts.
  private(set) var part: Int?
  /// The order to run the part in; `nil` for the usual one.
  private(set) var replay: Schedule?
  /// What goes wrong with a request, as `--faults` prints it; `nil` for nothing.
  private(set) var fault: String?
  /// Whether to let each request fail in each way, and show what that leads to.
  private(set) var showsFaults = false
  /// Whether to try other orders, and show what they lead to.
  private(set) var explores = false
  /// How often an order that's tried may depart from the usual one.
  private(set) var departures = 1
  private(set) var flags: Set<Scenario.Flag> = []

  /// Parses the arguments after the program's name.
  ///
  /// - Parameters:
  ///   - flags: The scenario's own flags.
  ///   - refusesServers: Why the scenario can't use `--server`; `nil` if it can.
  ///   - parts: The titles of the scenario's parts.
  /// - Throws: ``UsageError`` with one line for the user.
  init(
    _ arguments: some Sequence<String>, flags: [Scenario.Flag] = [], refusesServers: String? = nil,
    parts: [String] = []
  ) throws(UsageError) {
    let server = refusesServers == nil ? ["--server URL", "--time-limit SECONDS"] : []
    let known =
      [
        "--marbles", "--play", "--svg", "--trace", "--why N", "--until MOMENT", "--player FILE",
        "--parts", "--part N", "--explore", "--departures N", "--replay SCHEDULE", "--faults",
        "--fault FAULT", "--real-time",
      ] + server + flags.map(\.argument)
    var rest = arguments.makeIterator()
    var formatChoice = Choice<OutputFormat>()
    var modeChoice = Choice<World.Mode>()
    var partChoice = Choice<Int>()
    var limitChoice = Choice<Int>()
    var replayChoice = Choice<Schedule>()
    var departuresChoice = Choice<Int>()
    var faultChoice = Choice<String>()
    while let argument = rest.next() {
      if let flag = flags.first(where: { $0.argument == argument }) {
        self.flags.insert(flag)
        continue
      }
      let (name, value) = Self.split(argument)
      func text(_ problem: String) throws(UsageError) -> String {
        guard let text = value ?? rest.next(), !text.isEmpty, !text.hasPrefix("-") else {
          throw UsageError(description: problem)
        }
        return text
      }
      switch (name, value) {
      case ("--marbles", nil): try formatChoice.set(.marbles, by: name)
      case ("--play", nil): try formatChoice.set(.play, by: name)
      case ("--svg", nil): try formatChoice.set(.svg, by: name)
      case ("--trace", nil): try formatChoice.set(.trace, by: name)
      case ("--parts", nil): try formatChoice.set(.parts, by: name)
      case ("--explore", nil): explores = true
      case ("--faults", nil): showsFaults = true
      case ("--departures", _):
        let problem = "--departures needs a number from 1 to 3"
        guard let count = Int(try text(problem)), (1...3).contains(count) else {
          throw UsageError(description: problem)
        }
        try departuresChoice.set(count, by: name, "Use only one number")
      case ("--replay", _):
        let words = try text(
          "--replay needs a schedule, such as --replay 600ms:1. --explore prints schedules")
        do {
          try replayChoice.set(Schedule(parsing: words), by: name, "Use only one schedule")
        } catch let error as Schedule.ParsingError {
          throw UsageError(
            description: "--replay: \(error.text.shown) isn't part of a schedule: \(error.reason)")
        } catch {
          throw UsageError(description: "\(error)")
        }
      case ("--fault", _):
        let words = try text(
          "--fault needs what goes wrong, such as --fault \"request 1 times out\". --faults prints "
            + "what can")
        try faultChoice.set(words, by: name, "Use only one fault")
      case ("--until", _):
        let problem = "--until needs a time in s, ms, us or ns, or an event: 600ms or \"event 12\""
        guard let moment = Moment(parsing: try text(problem)) else {
          throw UsageError(description: problem)
        }
        try formatChoice.set(.state(moment), by: name, "Use only one moment")
      case ("--help", nil), ("-h", nil): try formatChoice.set(.help, by: name)
      case ("--why", _):
        let problem =
          "--why needs the number of an event, such as --why 12. --trace shows the numbers"
        guard let event = Int(try text(problem)), event > 0 else {
          throw UsageError(description: problem)
        }
        try formatChoice.set(.why(event: event), by: name, "Use only one event")
      case ("--player", _):
        let file = try text("--player needs a file, such as --player run.html")
        try formatChoice.set(.player(file: file), by: name, "Use only one file")
      case ("--part", _):
        let names = parts.enumerated().map { "\($0 + 1) (\($1))" }.joined(separator: ", ")
        let problem = "--part needs the number of a part: \(names)"
        guard let part = Int(try text(problem)), parts.indices.contains(part - 1) else {
          throw UsageError(description: problem)
        }
        try partChoice.set(part, by: name, "Use only one part")
      case ("--real-time", nil): try modeChoice.set(.realTime, by: name)
      case ("--server", _):
        if let refusesServers {
          throw UsageError(description: "this scenario can't use --server: \(refusesServers)")
        }
        let url = try text("--server needs a URL. \(ServerURL.example)")
        try modeChoice.set(.server(try ServerURL(url)), by: name, "Use only one server")
      case ("--time-limit", _):
        if let refusesServers {
          throw UsageError(description: "this scenario can't use --time-limit: \(refusesServers)")
        }
        let range = TimeLimit.secondsAllowed
        let problem =
          "--time-limit needs whole seconds: \(range.lowerBound) to \(range.upperBound)"
        guard let seconds = Int(try text(problem)), range.contains(seconds) else {
          throw UsageError(description: problem)
        }
        try limitChoice.set(seconds, by: name, "Use only one time limit")
      case (_, .some) where known.contains(name):
        throw UsageError(
          description: "\(name) doesn't take a value. Leave out the = and the text after it")
      default:
        // The message leaves out the value, because that may be a secret.
        throw UsageError(
          description: "unknown argument \(name.quoted). "
            + Self.suggestion(for: name, among: known + ["--help"])
            + "Use \(known.joined(separator: ", ")), --help, or no argument")
      }
    }
    format = formatChoice.value ?? .transcript
    mode = modeChoice.value ?? .virtual
    part = partChoice.value
    timeLimit = limitChoice.value ?? TimeLimit.standardSeconds
    replay = replayChoice.value
    departures = departuresChoice.value ?? 1
    fault = faultChoice.value
    if format == .help { return }
    let names = [
      explores ? "--explore" : nil, showsFaults ? "--faults" : nil, replayChoice.name,
      faultChoice.name, formatChoice.name, modeChoice.name, partChoice.name, limitChoice.name,
      departuresChoice.name,
    ]
    try Self.check(Set(names.compactMap(\.self)))
    if part == nil, parts.count > 1 {
      if explores, format == .svg {
        throw UsageError(description: "--explore --svg draws one part: add --part N")
      }
      if replay != nil {
        throw UsageError(
          description: "--replay needs the part that the schedule is for: add --part N")
      }
      if fault != nil {
        throw UsageError(description: "--fault needs the part that it's for: add --part N")
      }
    }
    switch format {
    case .why, .state: part = part ?? 1
    default: break
    }
  }

  /// Options that can't be combined with others, and why.
  private static let conflicts: [(name: String, others: [String], reason: String)] = [
    ("--explore", ["--replay"], "--explore chooses the orders"),
    ("--explore", ["--real-time", "--server"], "orders are tried in virtual time"),
    (
      "--explore", ["--marbles", "--play", "--trace", "--why", "--until", "--player", "--parts"],
      "--explore prints outcomes, or draws two with --svg"
    ),
    (
      "--faults",
      [
        "--replay", "--fault", "--marbles", "--play", "--svg", "--trace", "--why", "--until",
        "--player", "--parts", "--real-time", "--server",
      ], "--faults runs each part many times, and prints what that leads to"
    ),
    ("--replay", ["--server"], "a server has an order of its own"),
    ("--fault", ["--server"], "faults happen in the stub network only"),
    ("--replay", ["--parts"], "--parts runs nothing"),
    ("--fault", ["--parts"], "--parts runs nothing"),
    ("--replay", ["--player"], "a player shows all parts"),
    ("--fault", ["--player"], "a player shows all parts"),
    ("--parts", ["--part"], "--parts lists all parts"),
    ("--player", ["--part"], "a player shows all parts"),
    ("--play", ["--real-time"], "with --play, you step yourself"),
    ("--play", ["--server"], "with --play, you step through a run with the stubs"),
  ]

  /// Options that need another one, and why.
  private static let needs = [
    ("--departures", "--explore", "other runs have one order"),
    ("--time-limit", "--server", "other runs have no time limit"),
  ]

  /// Checks that options can be combined.
  ///
  /// - Parameter names: The names of those that the user gave.
  private static func check(_ names: Set<String>) throws(UsageError) {
    for (name, needed, reason) in needs where names.contains(name) && !names.contains(needed) {
      throw UsageError(description: "\(name) needs \(needed): \(reason)")
    }
    for (name, others, reason) in conflicts where names.contains(name) {
      guard let other = others.first(where: names.contains) else { continue }
      throw UsageError(description: "\(name) and \(other) can't be combined: \(reason)")
    }
  }

  /// Asks whether one of the known arguments was meant; empty if none is similar.
  private static func suggestion(for name: String, among known: [String]) -> String {
    let names = known.map { String($0.prefix { $0 != " " }) }
    let similar = names.compactMap { known in
      known.distance(to: name, atMost: 2).map { (name: known, distance: $0) }
    }
    guard let nearest = similar.min(by: { $0.distance < $1.distance }) else { return "" }
    return "Did you mean \(nearest.name)? "
  }

  /// An option's value, and the argument that gave it.
  private struct Choice<Value: Equatable> {
    private(set) var name: String?
    private(set) var value: Value?

    /// - Parameter advice: The advice to users whose arguments give two values.
    mutating func set(
      _ value: Value, by name: String, _ advice: String = ""
    ) throws(UsageError) {
      if let former = self.name, former != name {
        throw UsageError(
          description: "\(former) and \(name) can't be combined. Use only one of them")
      }
      guard self.value == nil || self.value == value else {
        throw UsageError(description: "\(name) is given twice. \(advice)")
      }
      (self.name, self.value) = (name, value)
    }
  }

  /// The same options with other flags.
  func with(flags: Set<Scenario.Flag>) -> CommandLineOptions {
    var options = self
    options.flags = flags
    return options
  }

  /// The order to run parts in.
  var order: OrderPolicy { replay.map { .replay($0) } ?? .firstComeFirstServed }

  /// The same options, but in virtual time.
  var inVirtualTime: CommandLineOptions {
    var options = self
    options.mode = .virtual
    return options
  }

  /// Splits an argument such as `--server=URL` into name and value.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }
}

extension CommandLineOptions.OutputFormat {
  /// Returns a recording in this format.
  ///
  /// - Parameters:
  ///   - recording: The parts to show.
  ///   - earlier: Those before them.
  ///   - scenario: The scenario that ran.
  ///   - terminal: Where it's shown.
  /// - Throws: `ExplanationError` if the recording doesn't have the event to explain.
  func draw(
    _ recording: Timeline.Recording, after earlier: Timeline.Recording, of scenario: Scenario,
    on terminal: Terminal
  ) throws(Timeline.ExplanationError) -> String {
    switch self {
    case .help, .parts, .player, .play, .state: ""
    case .transcript:
      scenario.heading + recording.filter(\.isInTranscript).transcript(in: terminal.style)
    case .marbles:
      scenario.heading
        + recording.marbles(width: terminal.width ?? 100, in: terminal.style, after: earlier)
    case .trace: recording.trace()
    case .svg: recording.svg()
    case .why(let event): try recording.explanation(of: event)
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
