import Timeline

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
  ///   - filePath: The file of the pipeline. The player shows the sources in its folder.
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
    let options: CommandLineOptions
    do {
      options = try CommandLineOptions(
        CommandLine.arguments.dropFirst(), flags: flags, refusesServers: refusesServers,
        parts: parts.map(\.title))
    } catch {
      program.printError("\(error)")
      program.exit(.usage)
    }
    let terminal = Terminal.standardOutput
    if options.format == .help || options.format == .parts {
      program.write(options.format == .help ? help(width: terminal.width) : partList)
      program.exit(.success)
    }
    if options.format == .play, !Terminal.isInteractive {
      program.printError("--play needs a terminal: in a pipe or a file, use --marbles")
      program.exit(.usage)
    }
    let limit = TimeLimit(seconds: options.timeLimit)
    if case .player(let file) = options.format {
      do {
        try OutputFile(path: file).check()
      } catch {
        program.printError("\(error)")
        program.exit(.failure)
      }
    }
    let watchdog: Watchdog? =
      if case .server(let server) = options.mode {
        beginRun(with: server, until: limit, program)
      } else { nil }
    let standstill =
      watchdog?.standstill
      ?? Standstill(patience: .seconds(10)) { problem in
        program.printError(problem)
        program.exit(.failure)
      }
    if case .player(let file) = options.format {
      let player = Player(of: self, options, until: limit, standstill)
      watchdog?.stop()
      do {
        // The parent isn't needed any more, and its end mustn't leave half a file.
        if watchdog != nil { ChildProcess.endRuns(writingFile: true) }
        try player.write(to: OutputFile(path: file), program)
      } catch {
        program.printError("\(error)")
        program.exit(.failure)
      }
      finish(player.problems, program)
    }
    if options.explores || options.showsFaults { runTrials(options, standstill, program) }
    let report = LiveReport(options, of: self, program)
    report.begin()
    let runs = MainThread.alternate(
      patience: standstill.patience, onStandstill: standstill.report
    ) { turns in
      self.run(options, until: limit, turns: turns, report)
    }
    watchdog?.stop()
    if watchdog != nil { ChildProcess.endRuns(writingFile: false) }
    if !report.isOn {
      if options.format == .play {
        var playback = Playback(runs.shown.recording, after: runs.earlier.recording)
        if !playback.isEmpty { playback.run(program) }
        finish(runs.shown.problems, program)
      }
      if case .state(let moment) = options.format { show(runs.shown[0], at: moment, program) }
      do {
        program.write(
          try options.format.draw(
            runs.shown.recording, after: runs.earlier.recording, of: self, on: terminal))
      } catch {
        refuse(error, program)
      }
    }
    finish(runs.shown.problems, program)
  }

  /// Makes this process the child for the run, and checks the server.
  ///
  /// - Returns: The watchdog, which watches already.
  private func beginRun(
    with server: ServerURL, until limit: TimeLimit, _ program: Program
  ) -> Watchdog {
    if !ChildProcess.begin(program) { ChildProcess.run(program, until: limit) }
    World.activity.withLock { $0 = .check(server, after: nil) }
    let watchdog = Watchdog(limit, program)
    let problem = server.problem(until: limit)
    World.activity.withLock { $0 = nil }
    guard let problem else { return watchdog }
    watchdog.stop()
    program.printError(problem)
    program.exit(.failure)
  }

  /// Says that the part that was shown doesn't have an event, and ends the program.
  private func refuse(_ error: Timeline.ExplanationError, _ program: Program) -> Never {
    let hint = parts.count > 1 ? " For another part, add --part N" : ""
    program.printError("\(error)\(hint)")
    program.exit(.usage)
  }

  /// Prints the state of a part at a moment, and ends the program.
  private func show(_ run: World.Outcome, at moment: Moment, _ program: Program) -> Never {
    do {
      let report = try RunState.report(at: moment, of: run.recording, run.waiting)
      program.write(heading + report)
    } catch {
      refuse(error, program)
    }
    finish(run.problems, program)
  }

  private func finish(_ problems: [String], _ program: Program) -> Never {
    for problem in problems { program.printError(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }

  /// Runs the parts to show, and those before them, because later ones may build on them.
  private func run(
    _ options: CommandLineOptions, until limit: TimeLimit, turns: MainThread.Turns,
    _ report: LiveReport
  ) -> (earlier: [World.Outcome], shown: [World.Outcome]) {
    let earlier = parts.prefix((options.part ?? 1) - 1).map { part in
      World.run(
        part, options.inVirtualTime, until: limit, turns: turns, showsThreads: showsThreads)
    }
    var shown: [World.Outcome] = []
    for part in options.part.map({ parts[($0 - 1)..<$0] }) ?? parts[...] {
      let fault = options.fault.map { self.fault($0, of: part, options, turns) }
      report.begin(part, isFirst: shown.isEmpty)
      shown.append(
        World.run(
          part, options, until: limit, turns: turns, order: options.order, fault: fault,
          showsThreads: showsThreads, log: options.format.moment.map { WaitingLog(of: $0) },
          onEvent: report.write))
      if shown.last?.isFinal == true { break }
    }
    return (earlier, shown)
  }
}

extension [World.Outcome] {
  fileprivate var recording: Timeline.Recording { Timeline.Recording(parts: map(\.recording)) }
  fileprivate var problems: [String] { flatMap(\.problems) }
}
