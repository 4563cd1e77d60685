import StubNetwork
import TimelinePictures
import VirtualTime
import VirtualWorld

extension Scenario {
  /// Runs each part to show many times, in other orders or with faults, prints what that leads to,
  /// and ends the program.
  func runTrials(_ options: CommandLineOptions, _ program: Program) -> Never {
    let first = options.part.map { $0 - 1 } ?? 0
    let shown = first...(options.part.map { $0 - 1 } ?? parts.count - 1)
    let progress = TrialProgress(of: program)
    StrayPrints.drop()
    let terminal = Terminal.standardOutput
    if options.format == .outcomes { program.write(heading(width: terminal.width)) }
    let problems = MainThread.alternate(onStandstill: { program.fail($0) }) { turns in
      let runner = PartRunner(self, options, turns, progress, terminal)
      // Later parts may build on earlier ones.
      for part in self.parts[..<first] { _ = runner.run(part) }
      var problems: [String] = []
      for index in shown {
        progress.begin(
          "part \(index + 1) of \(self.parts.count)", isLast: index == shown.upperBound)
        let report = runner.report(of: index)
        problems += report.problems
        guard let text = report.text else { continue }
        progress.clear()
        // Each when it's done, because many orders take a while.
        program.write((index == first ? "" : "\n") + text)
      }
      return problems
    }
    progress.clear()
    for problem in problems { program.printError(problem) }
    program.exit(
      progress.isInterrupted ? .interrupted : problems.isEmpty ? .success : .failure)
  }
}

/// Runs parts many times.
private struct PartRunner {
  let scenario: Scenario
  let options: CommandLineOptions
  let turns: MainThread.Turns
  let progress: TrialProgress
  let terminal: Terminal

  init(
    _ scenario: Scenario, _ options: CommandLineOptions, _ turns: MainThread.Turns,
    _ progress: TrialProgress, _ terminal: Terminal
  ) {
    (self.scenario, self.options, self.turns, self.progress) = (scenario, options, turns, progress)
    self.terminal = terminal
  }

  /// Runs a part once.
  func run(_ part: Scenario.Part, _ variation: Variation = Variation()) -> World.Outcome {
    World.run(
      part, options, until: TimeLimit(seconds: options.timeLimit), turns: turns,
      order: variation.schedule, moves: variation.moves, faults: variation.faults,
      showsThreads: false)
  }

  /// Runs a part as the options say.
  ///
  /// - Returns: What to print, if there's something, and problems.
  func report(of index: Int) -> (text: String?, problems: [String]) {
    let part = scenario.parts[index]
    func text(_ lines: [String]) -> String {
      ([terminal.style.paint("# \(part.title)", as: .title)] + lines).joined(separator: "\n") + "\n"
    }
    if progress.isInterrupted {
      let words = "not tried, because of Ctrl-C"
      return options.format == .outcomes ? (text([words]), []) : (nil, [words])
    }
    let faults = scenario.faults(of: part, options, turns)
    scenario.checkMoves(of: part, options, with: faults, turns)
    if options.sweeps {
      return sweep(part, with: faults, command: scenario.command(options, part: index + 1)) {
        text($0)
      }
    }
    var trials = Trials<[String]>(
      orders: options.explores
        ? OrderBound(departures: options.departures, trustsRecords: true) : nil,
      faults: options.faultBound)
    var problems: [String] = []
    while var variation = trials.next() {
      if progress.isInterrupted, !trials.findings.isEmpty {
        trials.stop(by: "Ctrl-C")
        break
      }
      // What goes wrong because of a fault is a part of the outcome.
      variation.faults += faults
      variation.moves = options.moves
      let run = run(part, variation)
      if trials.findings.isEmpty, faults.isEmpty { problems = run.problems }
      trials.note(run.trial)
      progress.note(trials)
    }
    problems += trials.problems(of: part.title)
    if options.format == .outcomes {
      let command = scenario.command(options, part: index + 1)
      return (
        text(trials.lines(command: command, width: terminal.width, in: terminal.style)), problems
      )
    }
    if !problems.isEmpty { return (nil, problems) }
    return trials.picture.map { ($0, []) } ?? (nil, [trials.reasonForNoPicture])
  }
}

extension PartRunner {
  /// Moves each thing that a part decides to other times.
  private func sweep(
    _ part: Scenario.Part, with faults: [NetworkFault], command: [String],
    _ text: ([String]) -> String
  ) -> (text: String?, problems: [String]) {
    var sweeps = Sweeps<[String]>(
      moves: options.moves, where: { options.movable.contains($0.kind, $0.address) })
    var problems: [String]?
    while let variation = sweeps.next() {
      if progress.isInterrupted, sweeps.runCount > 0 {
        sweeps.stop(by: "Ctrl-C")
        break
      }
      let run = run(part, Variation(faults: faults, moves: variation.moves))
      problems = problems ?? (faults.isEmpty ? run.problems : [])
      sweeps.note(
        .init(
          ending: run.sweepEnding, recording: run.recording, actions: run.actions,
          script: run.script, end: run.end))
      progress.note(
        outcomes: sweeps.endings.count, runsLeft: sweeps.thingsLeft, isFinal: false)
    }
    if options.format == .outcomePicture {
      let table = sweeps.table(command: command)
      if sweeps.findings.isEmpty { return (nil, (problems ?? []) + table) }
      do throws(TimeStrips.Refusal) {
        let strips = try TimeStrips(table: table)
        let name = ([scenario.name] + options.flags.map(\.argument).sorted()).joined(separator: " ")
        let title = "\(name): \(part.title), at any time"
        return (strips.svg(title: title), problems ?? [])
      } catch {
        let advice =
          error == .oneOutcome
          ? "leave out --svg"
          : "add --only and one thing\(options.movable == .all ? ", or --only responses" : "")"
        return (nil, (problems ?? []) + ["\(error): \(advice)"])
      }
    }
    let width = min(terminal.width ?? 97, 97)
    return (text(sweeps.table(command: command, width: width, in: terminal.style)), problems ?? [])
  }
}

extension Scenario {
  /// The command that runs a part with the user's flags and fault.
  fileprivate func command(_ options: CommandLineOptions, part: Int) -> [String] {
    let fault = options.fault.map { ["--fault", "'\($0)'"] } ?? []
    let moves = options.moves.flatMap { ["--move", "'\($0)'"] }
    return ["swift", "run", name] + options.flags.map(\.argument).sorted() + ["--part", "\(part)"]
      + moves + fault
  }

  /// Checks that a part has what the user moves. If it doesn't, this ends the program with an
  /// error. A move that isn't possible as it's written only leads to a remark.
  func checkMoves(
    of part: Part, _ options: CommandLineOptions, with faults: [NetworkFault],
    _ turns: MainThread.Turns
  ) {
    guard !options.moves.isEmpty || options.movable.address != nil else { return }
    let script = World.run(
      part, options.inVirtualTime, until: TimeLimit(seconds: options.timeLimit), turns: turns,
      order: options.replay, moves: options.moves, faults: faults, showsThreads: false
    ).script
    let program = Program(name: name)
    for problem in script.problems { program.printError("--move: \(problem)") }
    let missing = options.movable.address.flatMap(script.problem(ofAddress:))
    if let missing { program.printError("--only: \(missing)") }
    if missing != nil || !script.unknownMoves.isEmpty { program.exit(.usage) }
  }

  /// The faults that the user lets happen. If the part can't have one of them, this ends the
  /// program with an error.
  ///
  /// - Parameter part: The part, which runs once without each fault, to know what it can have.
  func faults(
    of part: Part, _ options: CommandLineOptions, _ turns: MainThread.Turns
  ) -> [NetworkFault] {
    guard let text = options.fault else { return [] }
    let wanted: [NetworkFault]
    do {
      wanted = try NetworkFault.list(parsing: text)
    } catch {
      let program = Program(name: name)
      program.printError("--fault: \(error)")
      program.exit(.usage)
    }
    var faults: [NetworkFault] = []
    for next in wanted {
      let possible = World.run(
        part, options.inVirtualTime, until: TimeLimit(seconds: options.timeLimit), turns: turns,
        order: options.replay, moves: options.moves, faults: faults, showsThreads: false
      ).possibleFaults.filter { $0.request > faults.last?.request ?? 0 }
      guard possible.contains(next.once) else {
        refuse(text, after: faults, insteadOf: possible)
      }
      faults.append(next)
    }
    return faults
  }

  /// Ends the program, because a part can't have a fault.
  private func refuse(
    _ text: String, after faults: [NetworkFault], insteadOf possible: [NetworkFault]
  ) -> Never {
    let place = faults.isEmpty ? "" : " after \(NetworkFault.description(of: faults).quoted)"
    let words = NetworkFault.words(for: possible.map { [$0] }).map { "\n  \($0)" }
    let advice =
      possible.isEmpty
      ? "No request\(faults.isEmpty ? " of this part" : place) has a response"
      : "Use a request\(place) and what goes wrong with it, one of these:" + words.joined()
    let program = Program(name: name)
    program.printError("--fault can't be \(text.quoted). \(advice)")
    program.exit(.usage)
  }
}
