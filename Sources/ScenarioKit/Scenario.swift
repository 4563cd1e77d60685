import Timeline

/// A program that shows one idea about streams, in parts that each run in a world of their own.
///
/// ```swift
/// let scenario = Scenario("decode-user", "Decode a User from JSON, and each way it can fail.")
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
    let body: @Sendable (World) -> Void
  }

  /// Something that the user may ask for on the command line, beside what every scenario has.
  public struct Flag: Hashable, Sendable {
    /// What it is called, without the hyphens.
    let name: String
    let summary: String

    var argument: String { "--\(name)" }
  }

  let name: String
  let summary: String
  let showsThreads: Bool
  let refusesServers: String?
  private(set) var parts: [Part] = []
  private(set) var flags: [Flag] = []

  /// Makes a scenario without parts.
  ///
  /// - Parameters:
  ///   - name: What its folder, its program and its page are called.
  ///   - summary: What it shows, in one sentence.
  ///   - showsThreads: Whether each line of the transcript says on which thread it happened.
  ///   - refusesServers: Why the scenario cannot run with `--server`; `nil` if it can.
  public init(
    _ name: String, _ summary: String, showsThreads: Bool = false, refusesServers: String? = nil
  ) {
    self.name = name
    self.summary = summary
    self.showsThreads = showsThreads
    self.refusesServers = refusesServers
  }

  /// Adds a part.
  ///
  /// - Parameters:
  ///   - title: What it is called in the transcript.
  ///   - body: Sets up the stubs and subscribes. It runs on the world's thread, at time zero; when
  ///     it returns, the world runs until nothing is left to do.
  public func part(_ title: String, _ body: @escaping @Sendable (World) -> Void) {
    parts.append(Part(title: title, body: body))
  }

  /// Adds a flag; ``World/has(_:)`` tells whether it was given.
  ///
  /// - Parameters:
  ///   - name: What it is called, without the hyphens: `without-share` is given as
  ///     `--without-share`.
  ///   - summary: What it does, in a few words for the help.
  /// - Returns: The flag.
  public func flag(_ name: String, _ summary: String) -> Flag {
    let flag = Flag(name: name, summary: summary)
    flags.append(flag)
    return flag
  }

  /// Runs the scenario as the command line says, prints what it says, and ends the program.
  ///
  /// To be called from the main thread, last. Exit status: 0 if all went well, 1 if the scenario
  /// failed or its output could not be written, 64 if the command line made no sense.
  public func run() -> Never {
    let program = Program(name: name)
    let options: CommandLineOptions
    do {
      options = try CommandLineOptions(
        CommandLine.arguments.dropFirst(), flags: flags, refusesServers: refusesServers)
    } catch {
      program.complain("\(error)")
      program.exit(.usage)
    }
    if options.format == .help {
      program.write(help)
      program.exit(.success)
    }
    if case .server(let server) = options.mode {
      if let problem = server.problem() {
        program.complain(problem)
        program.exit(.failure)
      }
    }
    let onStandstill: @Sendable (String) -> Void = { problem in
      program.complain(problem)
      program.exit(.failure)
    }
    let report = LiveReport(options, of: self, program)
    report.begin()
    let runs = MainThread.alternate(onStandstill: onStandstill) { turns in
      self.run(options, turns: turns, report)
    }
    if !report.isOn {
      let recording = Timeline.Recording(parts: runs.map(\.recording))
      program.write(options.format.draw(recording, of: self))
    }
    let problems = runs.flatMap(\.problems)
    for problem in problems { program.complain(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }

  private func run(
    _ options: CommandLineOptions, turns: MainThread.Turns, _ report: LiveReport
  ) -> [World.Outcome] {
    var outcomes: [World.Outcome] = []
    for part in parts {
      report.begin(part, isFirst: outcomes.isEmpty)
      outcomes.append(
        World.run(part, of: self, options, turns: turns) { report.write($0) })
      if outcomes.last?.isFinal == true { break }
    }
    return outcomes
  }
}
