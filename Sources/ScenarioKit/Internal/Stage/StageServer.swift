import Foundation
import StubNetwork
import Timeline
import VirtualTime
import VirtualWorld

/// Runs parts as the standard input asks for, and writes each run to the standard output: a line of
/// JSON for a line of JSON. `make play` keeps a program running so, because starting it takes
/// longer than a run.
struct StageServer {
  /// What a line asks for.
  struct Request: Decodable {
    /// Any number, which the answer has too.
    let id: Int
    /// The number of the part.
    let part: Int
    /// The names of flags.
    var flags: [String]?
    var moves: [String]?
    var fault: String?
    var schedule: String?
    /// Whether to search for the other endings of the part instead.
    var endings: Bool?
  }

  /// What a program says about itself before it answers.
  private struct Hello: Encodable {
    struct Flag: Encodable {
      let name: String
      let summary: String
    }

    let scenario: String
    let summary: String
    let parts: [String]
    let flags: [Flag]
  }

  private struct Answer: Encodable {
    let id: Int
    var run: StageRun?
    var endings: [StageEnding]?
    var files: [SourceFiles.File]?
    var error: String?
  }

  let scenario: Scenario

  /// Answers until the input ends.
  func serve(_ turns: MainThread.Turns) {
    write(
      Hello(
        scenario: scenario.name, summary: scenario.summary, parts: scenario.parts.map(\.title),
        flags: scenario.flags.map { .init(name: $0.name, summary: $0.summary) }))
    var code = CodeIndex(scenario)
    var knownFiles = 0
    while let line = readLine() {
      guard let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) else {
        write(Answer(id: 0, error: "this isn't a request: \(line.prefix(100))"))
        continue
      }
      do {
        let performance = try Performance(request, of: scenario, turns)
        if request.endings == true {
          write(Answer(id: request.id, endings: performance.endings))
          continue
        }
        let run = try performance.run(&code)
        let files = code.files.count > knownFiles ? code.files : nil
        knownFiles = code.files.count
        write(Answer(id: request.id, run: run, files: files))
      } catch {
        write(Answer(id: request.id, error: "\(error)"))
      }
    }
  }

  private func write(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    _ = Program.write(String(decoding: data, as: UTF8.self) + "\n", to: STDOUT_FILENO)
  }
}

/// A part with the flags, moves, order and fault that a request asks for.
private struct Performance {
  private let part: Scenario.Part
  private let options: CommandLineOptions
  private let variation: Variation
  private let fault: String?
  private let turns: MainThread.Turns

  init(_ request: StageServer.Request, of scenario: Scenario, _ turns: MainThread.Turns) throws {
    guard scenario.parts.indices.contains(request.part - 1) else {
      throw CommandLineOptions.UsageError(description: "there's no part \(request.part)")
    }
    part = scenario.parts[request.part - 1]
    let flags = scenario.flags.filter { request.flags?.contains($0.name) ?? false }
    options = try CommandLineOptions([]).with(flags: Set(flags))
    variation = Variation(
      schedule: try request.schedule.map { try Schedule(parsing: $0) },
      moves: try (request.moves ?? []).map { try Move(parsing: $0) })
    (fault, self.turns) = (request.fault, turns)
  }

  /// Runs the part once.
  func run(_ code: inout CodeIndex) throws -> StageRun {
    var variation = variation
    if let fault {
      variation.fault = run(Variation(moves: variation.moves)).possibleFaults.first {
        "\($0)" == fault
      }
      guard variation.fault != nil else {
        throw CommandLineOptions.UsageError(description: "no request can have this: \(fault)")
      }
    }
    return StageRun(run(variation, log: WaitingLog()), line: part.line, &code)
  }

  /// The other endings of the part.
  var endings: [StageEnding] { StageEndings.all { run($0) } }

  private func run(_ variation: Variation, log: WaitingLog? = nil) -> World.Outcome {
    World.run(
      part, options, until: TimeLimit(seconds: options.timeLimit), turns: turns,
      order: variation.schedule, moves: variation.moves, fault: variation.fault,
      showsThreads: log != nil, log: log)
  }
}
