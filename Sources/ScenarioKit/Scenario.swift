/// A program that shows one idea about streams, in parts that each run in a world of their own.
///
/// ```swift
/// let scenario = Scenario("decode-user", "Decode a User from JSON, and each way it can fail.")
///
/// scenario.part("The server knows the user") { world in
///   world.network.stub(.get, "https://example.com/user", answers: .json("{}"))
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

  let name: String
  let summary: String
  let showsThreads: Bool
  private(set) var parts: [Part] = []

  /// Makes a scenario without parts.
  ///
  /// - Parameters:
  ///   - name: What its folder, its program and its page are called.
  ///   - summary: What it shows, in one sentence.
  ///   - showsThreads: Whether each line of the transcript says on which thread it happened.
  public init(_ name: String, _ summary: String, showsThreads: Bool = false) {
    self.name = name
    self.summary = summary
    self.showsThreads = showsThreads
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

  /// Runs the scenario as the command line says, prints what it says, and ends the program.
  ///
  /// To be called from the main thread, last. Exit status: 0 if all went well, 1 if the scenario
  /// failed or its output could not be written, 64 if the command line made no sense.
  public func run() -> Never {
    let program = Program(name: name)
    let options: CommandLineOptions
    do {
      options = try CommandLineOptions(CommandLine.arguments.dropFirst())
    } catch {
      program.complain("\(error)")
      program.exit(.usage)
    }
    if options.face == .help {
      program.write(help)
      program.exit(.success)
    }
    let onStandstill: @Sendable (String) -> Void = { problem in
      program.complain(problem)
      program.exit(.failure)
    }
    let runs = MainThread.alternate(onStandstill: onStandstill) { turns in
      self.parts.map { World.run($0, of: self, turns: turns) }
    }
    let recording = Timeline.Recording(parts: runs.map(\.recording))
    program.write(options.face.draw(recording, of: self))
    let problems = runs.flatMap(\.problems)
    for problem in problems { program.complain(problem) }
    program.exit(problems.isEmpty ? .success : .failure)
  }

  private var help: String {
    """
    \(summary)

    usage: \(name) [--marbles | --trace | --help]

      (nothing)   print the transcript: what happened when, in virtual time
      --marbles   draw what happened as marble diagrams
      --trace     print each event as a JSON object on a line of its own
      --help      print this

    The same run gives the same output every time. More about it: docs/scenarios/\(name).md

    """
  }
}
