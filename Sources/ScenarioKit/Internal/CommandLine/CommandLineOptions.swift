import Timeline
import VirtualTime
import VirtualWorld

/// The command-line options of a scenario's program. `Scenario+Help` has the list of them.
struct CommandLineOptions: Equatable {
  /// The format in which to show the run.
  enum OutputFormat: Equatable {
    case transcript
    case marbles
    case trace
    case svg
    /// What other orders or faults lead to.
    case outcomes
    /// The first two of these outcomes, or which times lead to which of them.
    case outcomePicture
    case why(EventQuery)
    case state(Moment)
    case player(file: String)
    case play
    case parts
    /// Runs that the standard input asks for.
    case stage
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
  /// The distance between the times that a page has things at; `nil` for one that has room.
  private(set) var step: VirtualTime?
  /// The order to run the part in; `nil` for the usual one.
  private(set) var replay: Schedule?
  /// What goes wrong with a request, as `--faults` prints it; `nil` for nothing.
  private(set) var fault: String?
  /// Other times for what the part's script decides.
  private(set) var moves: [Move] = []
  /// Whether to let each request fail in each way, and show what that leads to.
  private(set) var showsFaults = false
  /// Whether each of these faults lasts from its request on.
  private(set) var lastsFaults = false
  /// Whether to let two requests of a run fail, too.
  private(set) var pairsFaults = false
  /// Whether to try other orders, and show what they lead to.
  private(set) var explores = false
  /// Whether to move each thing to other times, and show what that leads to.
  private(set) var sweeps = false
  /// What to move so.
  private(set) var movable = MovableThings.all
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
    let given = try Given(arguments, flags, refusesServers: refusesServers, parts: parts)
    self.flags = Set(flags.filter { given.has($0.argument) })
    if given.has("--help") {
      format = .help
      return
    }
    let formatName = try given.only(of: [
      "--marbles", "--play", "--svg", "--trace", "--why", "--until", "--player", "--parts",
      "--stage",
    ])
    let modeName = try given.only(of: ["--real-time", "--server"])
    explores = given.has("--explore")
    showsFaults = given.has("--faults")
    lastsFaults = given.has("--lasting")
    pairsFaults = given.has("--pairs")
    sweeps = given.has("--sweep")
    movable = given["--only"].map(MovableThings.init) ?? .all
    fault = given["--fault"]
    part = try given.read("--part") { parts.isEmpty ? nil : Self.number($0, in: 1...parts.count) }
    departures = try given.read("--departures") { Self.number($0, in: 1...3) } ?? 1
    timeLimit =
      try given.read("--time-limit") { Self.number($0, in: TimeLimit.secondsAllowed) }
      ?? TimeLimit.standardSeconds
    moves = try given.values(of: "--move").map(Self.move)
    for (index, move) in moves.enumerated()
    where moves[..<index].contains(where: { $0.address == move.address }) {
      throw UsageError(description: "--move has two times for \(move.address.quoted). Give it one")
    }
    step = try given.read("--step") { text in
      VirtualTime(parsing: text).flatMap { Self.steps.contains($0) ? $0 : nil }
    }
    if let schedule = given["--replay"] { replay = try Self.schedule(schedule) }
    switch modeName {
    case "--real-time": mode = .realTime
    case "--server": mode = .server(try ServerURL(given["--server"] ?? ""))
    default: break
    }
    let event = try given.read("--why") { EventQuery($0) }
    let moment = try given.read("--until") { Moment(parsing: $0) }
    switch formatName {
    case "--marbles": format = .marbles
    case "--play": format = .play
    case "--svg": format = explores || sweeps ? .outcomePicture : .svg
    case "--trace": format = .trace
    case "--why": if let event { format = .why(event) }
    case "--until": if let moment { format = .state(moment) }
    case "--player": format = .player(file: given["--player"] ?? "")
    case "--parts": format = .parts
    case "--stage": format = .stage
    default: format = explores || showsFaults || sweeps ? .outcomes : .transcript
    }
    try Self.check(given)
    if part == nil, parts.count > 1 {
      if format == .outcomePicture {
        let option = sweeps ? "--sweep" : "--explore"
        throw UsageError(description: "\(option) --svg draws one part: add --part N")
      }
      if replay != nil {
        throw UsageError(
          description: "--replay needs the part that the schedule is for: add --part N")
      }
      if fault != nil {
        throw UsageError(description: "--fault needs the part that it's for: add --part N")
      }
      if movable.address != nil {
        throw UsageError(description: "--only needs the part that it's for: add --part N")
      }
      if !moves.isEmpty {
        throw UsageError(description: "--move needs the part that it's for: add --part N")
      }
    }
    // A moment belongs to one part. A text or a lane may be in any of them.
    if event?.isInEachPart ?? (moment != nil) { part = part ?? 1 }
  }

  private static let steps = VirtualTime.milliseconds(1)...VirtualTime.seconds(60)

  private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  private static func schedule(_ text: String) throws(UsageError) -> Schedule {
    do throws(Schedule.ParsingError) {
      return try Schedule(parsing: text)
    } catch {
      throw UsageError(
        description: "--replay: \(error.text.shown) isn't part of a schedule: \(error.reason)")
    }
  }

  private static func move(_ text: String) throws(UsageError) -> Move {
    do throws(Move.ParsingError) {
      return try Move(parsing: text)
    } catch {
      throw UsageError(description: "--move: \(error)")
    }
  }

  /// The options that the user gave, in order.
  private struct Given {
    private var options: [(name: String, value: String)] = []
    private let parts: [String]

    /// Reads arguments. Each is an option of the help, and has a value if the help shows one.
    init(
      _ arguments: some Sequence<String>, _ flags: [Scenario.Flag], refusesServers: String?,
      parts: [String]
    ) throws(UsageError) {
      self.parts = parts
      let known = Scenario.options(flags: flags, takesServer: refusesServers == nil)
        .map { $0.argument.split(separator: " ") }
      var rest = arguments.makeIterator()
      while let argument = rest.next() {
        let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = pieces[0] == "-h" ? "--help" : String(pieces[0])
        if let refusesServers, ["--server", "--time-limit"].contains(name) {
          throw UsageError(description: "this scenario can't use \(name): \(refusesServers)")
        }
        guard let option = known.first(where: { $0[0] == name }) else {
          // The message leaves out the value, because that may be a secret.
          throw UsageError(
            description: "unknown argument \(name.quoted). "
              + (name.nearest(among: known.map { String($0[0]) }, atMost: 2)
                .map { "Did you mean \($0)? " } ?? "")
              + "To see all options, use --help")
        }
        var value = pieces.count == 2 ? String(pieces[1]) : nil
        if option.count == 1, value != nil {
          throw UsageError(
            description: "\(name) doesn't take a value. Leave out the = and the text after it")
        }
        if option.count > 1 {
          value = value ?? rest.next()
          guard let text = value, !text.isEmpty, !text.hasPrefix("-") else {
            throw need(of: name)
          }
        }
        try add(name, value ?? "")
      }
    }

    private mutating func add(_ name: String, _ value: String) throws(UsageError) {
      guard name != "--move", let former = self[name] else {
        return options.append((name, value))
      }
      if former != value {
        throw UsageError(description: "\(name) is given twice, with different values. Give it once")
      }
    }

    /// The value of an option, which is empty if it takes none; `nil` if the option isn't there.
    subscript(name: String) -> String? { options.first { $0.name == name }?.value }

    /// All values of an option that can be given more than once.
    func values(of name: String) -> [String] { options.filter { $0.name == name }.map(\.value) }

    func has(_ name: String) -> Bool { self[name] != nil }

    /// The one of these that's there; `nil` if there's none.
    func only(of names: [String]) throws(UsageError) -> String? {
      let found = options.map(\.name).filter(names.contains)
      guard found.count > 1 else { return found.first }
      throw UsageError(
        description: "\(found[0]) and \(found[1]) can't be combined. Use only one of them")
    }

    /// Reads the value of an option; `nil` if the option isn't there.
    func read<Value>(
      _ name: String, _ parse: (String) -> Value?
    ) throws(UsageError) -> Value? {
      guard let text = self[name] else { return nil }
      guard let value = parse(text) else { throw need(of: name) }
      return value
    }

    /// Says what an option needs.
    private func need(of name: String) -> UsageError {
      let need =
        switch name {
        case "--departures": "a number from 1 to 3"
        case "--replay": "a schedule, such as --replay 600ms:1. --explore prints schedules"
        case "--fault":
          "what goes wrong, such as --fault \"request 1 times out\" or --fault \"from request 1 on, "
            + "each request is refused\". --faults prints what can"
        case "--move":
          "what to move and when it comes, such as --move \"GET /search?q=sw to 300ms\""
        case "--only":
          "responses, inputs or the name of one thing, such as --only \"GET /search?q=sw\""
        case "--step": "a time from 1ms to 60s, such as --step 50ms"
        case "--until": "a time in s, ms, us or ns, or an event: 600ms or \"event 12\""
        case "--why": "\(EventQuery.kinds), such as --why 600ms or --why \"the end\""
        case "--player": "a file, such as --player run.html"
        case "--part":
          "the number of a part: "
            + parts.enumerated().map { "\($0 + 1) (\($1))" }.joined(separator: ", ")
        case "--server": "a URL. \(ServerURL.example)"
        default:
          "whole seconds: \(TimeLimit.secondsAllowed.lowerBound) to "
            + "\(TimeLimit.secondsAllowed.upperBound)"
        }
      return UsageError(description: "\(name) needs \(need)")
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
    (
      "--sweep",
      [
        "--explore", "--faults", "--replay", "--marbles", "--play", "--trace", "--why", "--until",
        "--player", "--parts",
      ], "--sweep runs each part many times, and prints what that leads to, or draws it with --svg"
    ),
    ("--sweep", ["--real-time", "--server"], "things are moved in virtual time"),
    ("--replay", ["--server"], "a server has an order of its own"),
    ("--fault", ["--server"], "faults happen in the stub network only"),
    ("--move", ["--server"], "a server takes the time that it takes"),
    ("--move", ["--parts"], "--parts runs nothing"),
    ("--move", ["--player"], "on the page, you move things yourself"),
    ("--replay", ["--parts"], "--parts runs nothing"),
    ("--fault", ["--parts"], "--parts runs nothing"),
    ("--replay", ["--player"], "on the page, you choose other endings yourself"),
    ("--fault", ["--player"], "on the page, you choose other endings yourself"),
    ("--parts", ["--part"], "--parts lists all parts"),
    (
      "--stage",
      [
        "--part", "--explore", "--faults", "--sweep", "--replay", "--fault", "--move",
        "--real-time", "--server",
      ], "its input says what to run"
    ),
    ("--play", ["--real-time"], "with --play, you step yourself"),
    ("--play", ["--server"], "with --play, you step through a run with the stubs"),
  ]

  /// Options that need another one, and why.
  private static let needs: [(name: String, needed: [String], reason: String)] = [
    ("--departures", ["--explore"], "other runs have one order"),
    ("--lasting", ["--faults"], "to let one fault last, write it in --fault's words"),
    ("--pairs", ["--faults"], "to let two faults happen, write both in --fault's words"),
    ("--only", ["--sweep", "--player"], "other runs move what --move names"),
    ("--step", ["--player"], "other runs move what --move names"),
    ("--time-limit", ["--server"], "other runs have no time limit"),
  ]

  /// Checks that options can be combined.
  private static func check(_ given: Given) throws(UsageError) {
    for (name, needed, reason) in needs where given.has(name) && !needed.contains(where: given.has)
    {
      throw UsageError(
        description: "\(name) needs \(needed.joined(separator: " or ")): \(reason)")
    }
    for (name, others, reason) in conflicts where given.has(name) {
      guard let other = others.first(where: given.has) else { continue }
      throw UsageError(description: "\(name) and \(other) can't be combined: \(reason)")
    }
  }

  /// The faults to let happen; `nil` for none.
  var faultBound: FaultBound? {
    guard showsFaults else { return nil }
    return FaultBound(isLasting: lastsFaults, pairs: pairsFaults ? FaultBound.usualPairs : 0)
  }

  /// The same options with other flags.
  func with(flags: Set<Scenario.Flag>) -> CommandLineOptions {
    var options = self
    options.flags = flags
    return options
  }

  /// The same options, but in virtual time.
  var inVirtualTime: CommandLineOptions {
    var options = self
    options.mode = .virtual
    return options
  }
}
