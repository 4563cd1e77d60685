import TestSupport
import Testing
import VirtualTime

@testable import ScenarioKit

@Suite struct CommandLineOptionsTests {
  let flag = Scenario.Flag(name: "without-switch", summary: "use flatMap")

  @Test func readsOneFormat() throws {
    #expect(try CommandLineOptions([]).format == .transcript)
    #expect(try CommandLineOptions(["--marbles"]).format == .marbles)
    #expect(try CommandLineOptions(["--trace"]).format == .trace)
    #expect(try CommandLineOptions(["--help"]).format == .help)
    #expect(try CommandLineOptions(["-h"]).format == .help)
    #expect(try CommandLineOptions(["--marbles", "--help", "--svg"]).format == .help)
    #expect(try CommandLineOptions(["--trace", "--trace"]).format == .trace)
  }

  @Test func readsTheFileOfThePlayer() throws {
    #expect(try CommandLineOptions(["--player", "a=b.html"]).format == .player(file: "a=b.html"))
    #expect(try CommandLineOptions(["--player=a=b.html"]).format == .player(file: "a=b.html"))
    let options = try CommandLineOptions(["--real-time", "--player", "a", "--player=a"])
    #expect(options.format == .player(file: "a"))
    #expect(options.mode == .realTime)
  }

  @Test func readsWhatAPageHas() throws {
    let options = try CommandLineOptions(
      ["--player", "a", "--part", "1", "--only", "responses", "--step", "50ms"], parts: Self.parts)
    #expect(options.part == 1)
    #expect(options.movable == .responses)
    #expect(options.step == .milliseconds(50))
  }

  /// A number or a time is in each part, so it's that of the first one.
  @Test(
    arguments: [
      (["--why", "12"], "12", 1), (["--why", "12", "--part=5"], "12", 5),
      (["--why=600ms"], "600ms", 1),
      (["--why", "a lane"], "a lane", nil), (["--why", "a lane", "--part=2"], "a lane", 2),
      (["--why=600ms a lane"], "600ms a lane", nil), (["--why", "0"], "0", 1),
    ] as [([String], String, Int?)])
  func readsAnEventAndItsPart(_ arguments: [String], _ event: String, _ part: Int?) throws {
    let options = try CommandLineOptions(arguments, parts: Self.parts)
    #expect(options.format == .why(try #require(EventQuery(event))))
    #expect(options.part == part)
  }

  @Test func readsTheNumberOfAPart() throws {
    #expect(
      try CommandLineOptions(["--svg", "--part=2", "--part", "2"], parts: Self.parts).part == 2)
    #expect(try CommandLineOptions(["--svg"]).format == .svg)
    #expect(try CommandLineOptions(["--svg"]).part == nil)
  }

  @Test func readsOneMode() throws {
    let server = World.Mode.server(try ServerURL("http://localhost:8080"))
    #expect(try CommandLineOptions([]).mode == .virtual)
    #expect(try CommandLineOptions(["--real-time"]).mode == .realTime)
    #expect(try CommandLineOptions(["--server", "http://localhost:8080"]).mode == server)
    #expect(try CommandLineOptions(["--server=http://localhost:8080/"]).mode == server)
    let both = try CommandLineOptions(["--server", "http://localhost:8080", "--trace"])
    #expect(both.mode == server)
    #expect(both.format == .trace)
  }

  @Test func readsTheTimeLimit() throws {
    #expect(try CommandLineOptions([]).timeLimit == 60)
    let server = ["--server", "http://localhost:8080"]
    #expect(try CommandLineOptions(server).timeLimit == 60)
    #expect(try CommandLineOptions(server + ["--time-limit", "5"]).timeLimit == 5)
    #expect(try CommandLineOptions(["--time-limit=3600"] + server).timeLimit == 3_600)
    #expect(try CommandLineOptions(["--time-limit=1", "--time-limit=1"] + server).timeLimit == 1)
  }

  @Test func readsTheFlagsOfItsScenario() throws {
    #expect(try CommandLineOptions([], flags: [flag]).flags == [])
    let options = try CommandLineOptions(["--without-switch", "--marbles"], flags: [flag])
    #expect(options.flags == [flag])
    #expect(options.format == .marbles)
    let error = #expect(throws: CommandLineOptions.UsageError.self) {
      try CommandLineOptions(["--without-swich"], flags: [flag])
    }
    #expect(
      error?.description
        == "unknown argument \"--without-swich\". Did you mean --without-switch? \(Self.unknown)")
  }

  @Test func doesNotOfferServersIfTheScenarioRefusesThem() {
    func message(_ arguments: String...) -> String? {
      #expect(throws: CommandLineOptions.UsageError.self) {
        try CommandLineOptions(arguments, refusesServers: "it has no network")
      }?.description
    }
    #expect(message("--sever=a") == "unknown argument \"--sever\". \(Self.unknown)")
    for arguments in [["--server", "http://a"], ["--server=nonsense"], ["--server"]] {
      let error = #expect(throws: CommandLineOptions.UsageError.self) {
        try CommandLineOptions(arguments, refusesServers: "it has no network")
      }
      #expect(error?.description == "this scenario can't use --server: it has no network")
    }
    #expect(message("--time-limit=5") == "this scenario can't use --time-limit: it has no network")
  }

  static let unknown = "To see all options, use --help"
  static let seconds = "--time-limit needs whole seconds: 1 to 3600"
  static let why =
    "--why needs a text that's printed or delivered, a time, a lane, or an event's number, such as "
    + "--why 600ms or --why \"the end\""
  static let fault =
    "--fault needs what goes wrong, such as --fault \"request 1 times out\" or --fault \"from request 1 on, each request is refused\". --faults prints what can"
  static let moment = "--until needs a time in s, ms, us or ns, or an event: 600ms or \"event 12\""
  static let parts = ["one", "two", "three", "four", "five"]
  static let part =
    "--part needs the number of a part: 1 (one), 2 (two), 3 (three), 4 (four), 5 (five)"
  static let example = "Write it like this: --server http://127.0.0.1:8080"

  @Test(arguments: [
    (["--marble"], "unknown argument \"--marble\". Did you mean --marbles? \(unknown)"),
    (["--svgg"], "unknown argument \"--svgg\". Did you mean --svg? \(unknown)"),
    (["-svg"], "unknown argument \"-svg\". Did you mean --svg? \(unknown)"),
    (["--hlep"], "unknown argument \"--hlep\". Did you mean --help? \(unknown)"),
    (["--timelimit=5"], "unknown argument \"--timelimit\". Did you mean --time-limit? \(unknown)"),
    (["--picture"], "unknown argument \"--picture\". \(unknown)"),
    (["--parts", "--svg"], "--parts and --svg can't be combined. Use only one of them"),
    (
      ["--parts", "--part=1"], "--parts and --part can't be combined: --parts lists all parts"
    ),
    ([""], "unknown argument \"\". \(unknown)"),
    (["--trace=x"], "--trace doesn't take a value. Leave out the = and the text after it"),
    (
      ["--sever=http://ada:password@a"],
      "unknown argument \"--sever\". Did you mean --server? \(unknown)"
    ),
    (["--trace", "x"], "unknown argument \"x\". \(unknown)"),
    (
      ["--real-time=yes"], "--real-time doesn't take a value. Leave out the = and the text after it"
    ),
    (
      ["--play", "--real-time"],
      "--play and --real-time can't be combined: with --play, you step yourself"
    ),
    (["--trace", "--marbles"], "--trace and --marbles can't be combined. Use only one of them"),
    (
      ["--real-time", "--server", "http://a"],
      "--real-time and --server can't be combined. Use only one of them"
    ),
    (
      ["--server=http://a", "--real-time"],
      "--server and --real-time can't be combined. Use only one of them"
    ),
    (
      ["--server", "http://a", "--server", "http://b"],
      "--server is given twice, with different values. Give it once"
    ),
    (["--player"], "--player needs a file, such as --player run.html"),
    (["--player="], "--player needs a file, such as --player run.html"),
    (["--player", "--marbles"], "--player needs a file, such as --player run.html"),
    (
      ["--player=a", "--player", "b"],
      "--player is given twice, with different values. Give it once"
    ),
    (
      ["--player=a", "--marbles"], "--player and --marbles can't be combined. Use only one of them"
    ),
    (["--trace", "--player=a"], "--trace and --player can't be combined. Use only one of them"),
    (["--server"], "--server needs a URL. \(example)"),
    (["--server", "--trace"], "--server needs a URL. \(example)"),
    (["--server="], "--server needs a URL. \(example)"),
    (
      ["--server=ftp://a"],
      "--server can't be \"ftp://a\": it doesn't start with http:// or https://. \(example)"
    ),
    (["--why"], why),
    (["--why", ""], why),
    (["--why= "], why),
    (["--why", "-1"], why),
    (["--why=1", "--why=2"], "--why is given twice, with different values. Give it once"),
    (["--why=1", "--svg"], "--why and --svg can't be combined. Use only one of them"),
    (["--svg=run.svg"], "--svg doesn't take a value. Leave out the = and the text after it"),
    (["--part"], part),
    (["--part=0"], part),
    (["--part", "6"], part),
    (["--part", "two"], part),
    (["--part=1", "--part=2"], "--part is given twice, with different values. Give it once"),
    (["--server=http://a", "--time-limit"], seconds),
    (["--server=http://a", "--time-limit=0"], seconds),
    (["--server=http://a", "--time-limit", "3601"], seconds),
    (["--server=http://a", "--time-limit", "-5"], seconds),
    (["--server=http://a", "--time-limit=1.5"], seconds),
    (["--server=http://a", "--time-limit=99999999999999999999"], seconds),
    (
      ["--server=http://a", "--time-limit=1", "--time-limit=2"],
      "--time-limit is given twice, with different values. Give it once"
    ),
    (["--time-limit=1"], "--time-limit needs --server: other runs have no time limit"),
    (
      ["--real-time", "--time-limit=1"],
      "--time-limit needs --server: other runs have no time limit"
    ),
    (
      ["--faults", "--marbles"],
      "--faults and --marbles can't be combined: --faults runs each part many times, and prints what "
        + "that leads to"
    ),
    (
      ["--faults", "--part=1", "--replay=5ms:1"],
      "--faults and --replay can't be combined: --faults runs each part many times, and prints what "
        + "that leads to"
    ),
    (
      ["--faults", "--part=1", "--fault=request 1 times out"],
      "--faults and --fault can't be combined: --faults runs each part many times, and prints what "
        + "that leads to"
    ),
    (
      ["--faults", "--explore", "--svg", "--part=1"],
      "--faults and --svg can't be combined: --faults runs each part many times, and prints what "
        + "that leads to"
    ),
    (
      ["--move", "--part=1"],
      "--move needs what to move and when it comes, such as --move \"GET /search?q=sw to 300ms\""
    ),
    (
      ["--move=GET /a", "--part=1"],
      "--move: \"GET /a\" isn't a move: write what to move, `to` and a time, such as "
        + "\"GET /search?q=sw to 300ms\""
    ),
    (["--move=a to 1ms"], "--move needs the part that it's for: add --part N"),
    (
      ["--move=a to 1ms", "--part=1", "--server=http://a"],
      "--move and --server can't be combined: a server takes the time that it takes"
    ),
    (
      ["--move=a to 1ms", "--player=a"],
      "--move and --player can't be combined: on the page, you move things yourself"
    ),
    (
      ["--only=a", "--part=1"],
      "--only needs --sweep or --player: other runs move what --move names"
    ),
    (["--step=5ms"], "--step needs --player: other runs move what --move names"),
    (
      ["--step=5", "--player=a"], "--step needs a time from 1ms to 60s, such as --step 50ms"
    ),
    (
      ["--step=61s", "--player=a"], "--step needs a time from 1ms to 60s, such as --step 50ms"
    ),
    (
      ["--only", "--sweep", "--part=1"],
      "--only needs responses, inputs or the name of one thing, such as --only \"GET /search?q=sw\""
    ),
    (["--sweep", "--svg"], "--sweep --svg draws one part: add --part N"),
    (["--sweep", "--only=responses", "--svg"], "--sweep --svg draws one part: add --part N"),
    (["--sweep", "--only=a"], "--only needs the part that it's for: add --part N"),
    (
      ["--sweep", "--explore"],
      "--sweep and --explore can't be combined: --sweep runs each part many times, and prints what "
        + "that leads to, or draws it with --svg"
    ),
    (["--fault", "--part=1"], fault),
    (["--fault="], fault),
    (["--fault=a"], "--fault needs the part that it's for: add --part N"),
    (["--fault=a", "--fault=b"], "--fault is given twice, with different values. Give it once"),
    (
      ["--fault=a", "--player=a"],
      "--fault and --player can't be combined: on the page, you choose other endings yourself"
    ),
    (
      ["--lasting", "--fault=request 1 times out", "--part=1"],
      "--lasting needs --faults: to let one fault last, write it in --fault's words"
    ),
    (
      ["--pairs"], "--pairs needs --faults: to let two faults happen, write both in --fault's words"
    ),
    (["--fault=a", "--parts"], "--fault and --parts can't be combined: --parts runs nothing"),
    (
      ["--fault=a", "--server=http://a"],
      "--fault and --server can't be combined: faults happen in the stub network only"
    ),
    (
      ["--play", "--server=http://a"],
      "--play and --server can't be combined: with --play, you step through a run with the stubs"
    ),
    (["--until"], moment),
    (["--until=12"], moment),
    (["--until=event"], moment),
    (["--until", "--part=1"], moment),
    (
      ["--until=5ms", "--until=6ms"], "--until is given twice, with different values. Give it once"
    ),
    (["--until=5ms", "--why=1"], "--until and --why can't be combined. Use only one of them"),
    (
      ["--until=5ms", "--explore"],
      "--explore and --until can't be combined: --explore prints outcomes, or draws two with --svg"
    ),
    (
      ["--faults", "--server=http://a"],
      "--faults and --server can't be combined: --faults runs each part many times, and prints what "
        + "that leads to"
    ),
    (
      ["--departures=2"], "--departures needs --explore: other runs have one order"
    ),
    (["--explore", "--departures=0"], "--departures needs a number from 1 to 3"),
    (["--explore", "--departures", "many"], "--departures needs a number from 1 to 3"),
    (
      ["--explore", "--real-time"],
      "--explore and --real-time can't be combined: orders are tried in virtual time"
    ),
    (
      ["--explore", "--server=http://a"],
      "--explore and --server can't be combined: orders are tried in virtual time"
    ),
    (
      ["--explore", "--part=1", "--replay=5ms:1"],
      "--explore and --replay can't be combined: --explore chooses the orders"
    ),
    (
      ["--explore", "--marbles"],
      "--explore and --marbles can't be combined: --explore prints outcomes, or draws two with --svg"
    ),
    (["--explore", "--svg"], "--explore --svg draws one part: add --part N"),
    (
      ["--replay"],
      "--replay needs a schedule, such as --replay 600ms:1. --explore prints schedules"
    ),
    (
      ["--replay=5:1", "--part=1"],
      "--replay: 5:1 isn't part of a schedule: write an instant and picks, such as 600ms:1"
    ),
    (
      ["--replay=5ms:1"], "--replay needs the part that the schedule is for: add --part N"
    ),
    (
      ["--replay=5ms:1", "--player=a"],
      "--replay and --player can't be combined: on the page, you choose other endings yourself"
    ),
    (
      ["--replay=5ms:1", "--part=1", "--parts"],
      "--replay and --parts can't be combined: --parts runs nothing"
    ),
    (
      ["--replay=5ms:1", "--part=1", "--server=http://a"],
      "--replay and --server can't be combined: a server has an order of its own"
    ),
  ])
  func refusesAWrongCommandLine(arguments: [String], message: String) {
    let error = #expect(throws: CommandLineOptions.UsageError.self) {
      try CommandLineOptions(arguments, parts: Self.parts)
    }
    #expect(error?.description == message)
  }

  @Test func readsFaultsAndMoments() throws {
    let both = try CommandLineOptions(["--explore", "--faults"], parts: Self.parts)
    #expect(both.explores && both.showsFaults && both.format == .outcomes)
    #expect(!both.lastsFaults && !both.pairsFaults)
    let lasting = try CommandLineOptions(["--faults", "--lasting", "--pairs"], parts: Self.parts)
    #expect(lasting.lastsFaults && lasting.pairsFaults && lasting.format == .outcomes)
    let fault = try CommandLineOptions(
      ["--fault", "request 1 times out", "--part=2", "--until", "event 3"], parts: Self.parts)
    #expect(fault.fault == "request 1 times out" && fault.part == 2)
    #expect(fault.format == .state(.event(3)))
    let time = try CommandLineOptions(["--until=600ms"], parts: Self.parts)
    #expect(time.format == .state(.time(.milliseconds(600))) && time.part == 1)
    // A fault of a part whose orders are explored.
    let explored = try CommandLineOptions(
      ["--fault=a", "--part=2", "--explore"], parts: Self.parts)
    #expect(explored.explores && explored.fault == "a")
  }

  @Test func readsSweeps() throws {
    let sweep = try CommandLineOptions(["--sweep"], parts: Self.parts)
    #expect(sweep.sweeps && sweep.format == .outcomes && sweep.movable == .all)
    let picture = try CommandLineOptions(["--svg", "--sweep", "--part=2"], parts: Self.parts)
    #expect(picture.sweeps && picture.format == .outcomePicture && picture.part == 2)
    // Each part has responses and inputs, so these need no part.
    for (text, things) in [("responses", MovableThings.responses), ("inputs", .inputs)] {
      #expect(
        try CommandLineOptions(["--sweep", "--only", text], parts: Self.parts).movable == things)
    }
    let one = try CommandLineOptions(["--sweep", "--only=GET /a", "--part=1"], parts: Self.parts)
    #expect(one.movable == .one("GET /a"))
  }

  @Test func readsOrders() throws {
    let explore = try CommandLineOptions(["--explore", "--departures", "2"], parts: Self.parts)
    #expect(explore.format == .outcomes && explore.departures == 2 && explore.part == nil)
    let picture = try CommandLineOptions(["--svg", "--explore", "--part=2"], parts: Self.parts)
    #expect(picture.explores && picture.format == .outcomePicture && picture.departures == 1)
    let replay = try CommandLineOptions(
      ["--replay", "5ms:0,1 1s:2", "--part=2", "--marbles"], parts: Self.parts)
    #expect("\(try #require(replay.replay))" == "5ms:0,1 1s:2")
    #expect(replay.format == .marbles)
    // A scenario with one part needs no number.
    #expect(try CommandLineOptions(["--replay=5ms:1"], parts: ["Only"]).replay != nil)
  }

  // MARK: Odd arguments

  private static let options = [
    "--server", "--fault", "--until", "--replay", "--part", "--why", "--departures", "--player",
    "--time-limit", "--marbles", "--help", "--unknown", "--marbels", "-", "",
  ]

  private static let oddTexts = [
    "\u{1B}[2J\u{1B}]0;title\u{7}", "a\nnew-scenario: nothing is wrong", "a\r\nb", "a\rb",
    "\u{9B}2J",
    "a\u{85}b", "a\u{2028}b", "\u{202E}gvs--", "\u{0}", "=", "==a", " ", "é\u{301}", "👩‍👩‍👧", "\"\\(",
    "@", "http://\u{1B}[2J@a", "5ms:\u{1B}[2J", "5ms:0,\u{1B}", "event \u{1B}", "event ٣", "٣ms",
    "٣",
  ]

  /// A terminal would obey control characters, and a line break could begin a false message.
  @Test(arguments: oddTexts)
  func anErrorShowsNoControlCharacters(_ text: String) {
    let commands = Self.options.flatMap { option in
      [["\(option)=\(text)"], [option, text], ["\(option)\(text)"]]
    }
    for arguments in commands {
      do throws(CommandLineOptions.UsageError) {
        _ = try CommandLineOptions(arguments, parts: Self.parts)
      } catch {
        let isPlain = error.description.unicodeScalars.allSatisfy { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: false
          case .format: scalar == "\u{200D}"
          default: true
          }
        }
        #expect(isPlain, "\(error.description.debugDescription)")
      }
    }
  }

  @Test func aTextIsCutInTheMiddle() {
    let text = String(repeating: "a", count: 220)
    #expect(text.shown == text)
    #expect(
      (text + "z").shown
        == String(repeating: "a", count: 160) + "…" + String(repeating: "a", count: 39) + "z")
    #expect("a\u{1B}\n\"".quoted == #""a\u{1B}\n\"""#)
    #expect("a\u{1B}\u{202E}\n\"".shown == #"a\u{1b}\u{202e}\n""#)
  }
}
