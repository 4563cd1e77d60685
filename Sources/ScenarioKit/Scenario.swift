import Timeline
import TimelinePictures

/// A program that shows one idea. Each of its parts runs in its own ``World``.
///
/// ```swift
/// let scenario = Scenario(
///   "decode-user", "Turn a response into a User, and see three ways in which that can fail.")
///
/// scenario.part("The server knows the user") { world in
///   world.network.stub(.get, "https://example.com/user", responses: .json("{}"))
///   …
/// }
///
/// scenario.run()
/// ```
public final class Scenario {
  struct Part {
    let title: String
    let line: Timeline.SourceLine
    let body: @Sendable (World) -> Void
  }

  /// An option of one scenario's command line, in addition to those that every scenario has.
  public struct Flag: Hashable, Sendable {
    /// The name without the hyphens.
    let name: String
    let summary: String

    var argument: String { "--\(name)" }
  }

  let name: String
  let summary: String
  let showsThreads: Bool
  let refusesServers: String?
  let sources: SourceFiles
  private(set) var parts: [Part] = []
  private(set) var flags: [Flag] = []

  /// Makes a scenario without parts.
  ///
  /// - Parameters:
  ///   - name: The name of its folder, its program and its page.
  ///   - summary: The idea that it shows, in one sentence.
  ///   - showsThreads: Whether each line of the transcript names the thread or queue of its event.
  ///   - refusesServers: Why the scenario can't use `--server`, for the error; `nil` if it can.
  ///   - filePath: The file of the pipeline. The stage shows the sources in its folder.
  ///   - fileID: The same file with its module.
  public init(
    _ name: String, _ summary: String, showsThreads: Bool = false, refusesServers: String? = nil,
    filePath: String = #filePath, fileID: String = #fileID
  ) {
    self.name = name
    self.summary = summary
    self.showsThreads = showsThreads
    self.refusesServers = refusesServers
    sources = SourceFiles(mainPath: filePath, mainID: fileID)
  }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - title: The part's heading in the transcript.
  ///   - fileID: The file that the part begins in.
  ///   - line: The line that the part begins in.
  ///   - body: Sets up the stubs and subscribes. It runs on the world's thread, at time zero. After
  ///     it returns, the world runs until nothing is left to do.
  public func part(
    _ title: String, fileID: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (World) -> Void
  ) {
    let line = Timeline.SourceLine(fileID: fileID, line: line)
    parts.append(Part(title: title, line: line, body: body))
  }

  /// Adds a flag. ``World/has(_:)`` returns whether the user passed it.
  ///
  /// - Parameters:
  ///   - name: The name without the hyphens: the user passes `without-share` as `--without-share`.
  ///   - summary: The flag's effect, in a few words for the help.
  /// - Returns: The flag.
  public func flag(_ name: String, _ summary: String) -> Flag {
    let flag = Flag(name: name, summary: summary)
    flags.append(flag)
    return flag
  }

  /// Runs the scenario with the command line's options, prints the result, and ends the program.
  ///
  /// Call it last, on the main thread. The exit status is 0 if everything went well, 1 if the
  /// scenario failed or its output couldn't be written, 64 if the command line was wrong, and 130
  /// if Ctrl-C ended the trial of orders or faults.
  public func run() -> Never {
    let program = Program(name: name)
    program.begin()
    do {
      let options = try CommandLineOptions(
        CommandLine.arguments.dropFirst(), flags: flags, refusesServers: refusesServers,
        parts: parts.map(\.title))
      let problems = try perform(options, program)
      for problem in problems { program.printError(problem) }
      program.exit(problems.isEmpty ? .success : .failure)
    } catch let error as CommandLineOptions.UsageError {
      program.printError("\(error)")
      program.exit(.usage)
    } catch let error as Timeline.ExplanationError {
      let hint = error.isAboutPart && parts.count > 1 ? " For another part, add --part N" : ""
      program.printError("\(error)\(hint)")
      program.exit(.usage)
    } catch {
      program.printError("\(error)")
      program.exit(.failure)
    }
  }

  /// Does what the options say. This is the only place that looks at the format.
  ///
  /// - Returns: The problems of the run.
  private func perform(_ options: CommandLineOptions, _ program: Program) throws -> [String] {
    let terminal = Terminal.standardOutput
    let heading = self.heading(width: terminal.width)
    let limit = TimeLimit(seconds: options.timeLimit)
    func run(_ report: LiveReport? = nil) -> Runs {
      alternate(options, until: limit, program) { turns in
        self.run(options, until: limit, turns: turns, report)
      }
    }
    func write(_ draw: (Runs) throws -> String) rethrows -> [String] {
      let runs = run()
      program.write(try draw(runs))
      return runs.problems
    }
    switch options.format {
    case .help:
      program.write(help(width: terminal.width))
      return []
    case .parts:
      program.write(partList)
      return []
    case .transcript where options.mode != .virtual:
      return run(LiveReport(of: self, program)).problems
    case .transcript:
      return write {
        heading + $0.recording.filter(\.isInTranscript).transcript(in: terminal.style)
      }
    case .marbles:
      return write {
        heading + $0.recording.marbles(width: terminal.width ?? 100, in: terminal.style)
      }
    case .trace:
      return write { $0.recording.trace() }
    case .svg:
      return write { $0.recording.svg(title: name) }
    case .why(let event):
      return try write {
        try event.explanation(
          in: $0.recording, from: options.part ?? 1, as: .commandLine, in: terminal.style,
          width: terminal.width)
      }
    case .state(let moment):
      return try write {
        heading
          + (try RunState.report(
            at: moment, of: $0.shown[0].recording, $0.shown[0].waiting, on: terminal))
      }
    case .play:
      guard Terminal.isInteractive else {
        throw CommandLineOptions.UsageError(
          description: "--play needs a terminal: in a pipe or a file, use --marbles")
      }
      let runs = run()
      var playback = Playback(runs.recording)
      if !playback.isEmpty { playback.run(program) }
      return runs.problems
    case .player(let path):
      let file = OutputFile(path: path)
      try file.check()
      let (table, problems) = try Program.withoutOutput {
        alternate(options, until: limit, program) { turns in
          Result { try StageTable.runs(of: self, options, until: limit, turns) }
        }
      }.get()
      try file.write(try StagePage(title: name, table).html())
      program.write("Wrote \(path.onOneLine). Open it in a browser: \(file.url)\n")
      return problems
    case .stage:
      StageServer(scenario: self).serve()
      return []
    case .outcomes, .outcomePicture:
      runTrials(options, program)
    }
  }

  /// The parts that were run to be shown.
  private struct Runs: Sendable {
    var shown: [World.Outcome] = []

    var recording: Timeline.Recording { Timeline.Recording(parts: shown.map(\.recording)) }
    var problems: [String] { shown.flatMap(\.problems) }
  }

  /// Runs the parts to show, and those before them, because later ones may build on them.
  ///
  /// - Parameter report: Writes the run while it happens.
  private func run(
    _ options: CommandLineOptions, until limit: TimeLimit, turns: MainThread.Turns,
    _ report: LiveReport?
  ) -> Runs {
    report?.begin()
    for part in parts.prefix((options.part ?? 1) - 1) {
      _ = World.run(
        part, options.inVirtualTime, until: limit, turns: turns, showsThreads: showsThreads)
    }
    var runs = Runs()
    for part in options.part.map({ parts[($0 - 1)..<$0] }) ?? parts[...] {
      let faults = faults(of: part, options, turns)
      checkMoves(of: part, options, with: faults, turns)
      report?.begin(part, isFirst: runs.shown.isEmpty)
      runs.shown.append(
        World.run(
          part, options, until: limit, turns: turns, order: options.replay, moves: options.moves,
          faults: faults, showsThreads: showsThreads,
          log: options.format.moment.map { WaitingLog(of: $0) },
          onEvent: { report?.write($0) }))
      if runs.shown.last?.isFinal == true { break }
    }
    return runs
  }

  /// Runs a body on a thread for worlds, which gives the main thread turns. With a server, this
  /// checks first that it's there.
  private func alternate<Result: Sendable>(
    _ options: CommandLineOptions, until limit: TimeLimit, _ program: Program,
    _ body: @escaping (MainThread.Turns) -> Result
  ) -> Result {
    if case .server(let server) = options.mode, let problem = server.problem(until: limit) {
      program.fail(problem)
    }
    return MainThread.alternate(onStandstill: { program.fail($0) }, body)
  }
}

extension Scenario {
  /// The heading of a transcript or a marble diagram.
  ///
  /// - Parameter width: The width of the terminal; `nil` if it isn't one.
  func heading(width: Int?) -> String {
    "\(name): \(summary)".folded(to: width).joined(separator: "\n") + "\n\n"
  }
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
