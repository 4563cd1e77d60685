import Dispatch
import Foundation
import Streams
import StubNetwork
import Timeline
import TimelinePictures
import VirtualTime
import VirtualWorld

/// Runs parts as the standard input asks for, and writes each run to the standard output: a line of
/// JSON for a line of JSON. A search says in lines of its own what it tries. `make play` keeps a
/// program running so, because starting it takes longer than a run.
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
    /// How many source files the page has.
    var files: Int?
    /// What to answer: a run, or else its `picture`, or the other `endings` of the part.
    var wants: Wanted?
    /// For endings: the runs that have ended the program in an earlier search for the same.
    var crashes: [StageCrash]?
    /// For endings: whether the search ends after the last of these.
    var isLast: Bool?

    enum Wanted: String, Decodable {
      case picture, endings
    }
  }

  /// What a search tries next. If that ends the program, the one that asked knows what it was.
  private struct Progress: Encodable {
    let id: Int
    let tries: StageTrial
  }

  private struct Answer: Encodable {
    let id: Int
    var run: StageRun?
    var endings: [StageEnding]?
    /// The picture as SVG.
    var picture: String?
    var files: [SourceFiles.File]?
    var error: String?
  }

  let scenario: Scenario

  /// Answers until the input ends. Call it on the main thread, which takes turns with each run.
  func serve() {
    // What the program itself writes, such as with dump, must not come between the answers.
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    write(StageProgram(scenario), to: output)
    var code = CodeIndex(scenario)
    for line in lines() {
      guard let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) else {
        write(Answer(id: 0, error: "this isn't a request: \(line.prefix(100))"), to: output)
        continue
      }
      // Between two runs, the main thread may wait as long as it takes.
      let page = MainThread.alternate { turns in
        self.answer(request, code, turns) { trial in
          self.write(Progress(id: request.id, tries: trial), to: output)
        }
      }
      code = page.code
      write(page.answer, to: output)
    }
  }

  private func answer(
    _ request: Request, _ code: CodeIndex, _ turns: MainThread.Turns,
    tries: @escaping (StageTrial) -> Void
  ) -> (answer: Answer, code: CodeIndex) {
    var (answer, code) = (Answer(id: request.id), code)
    do {
      let part = try part(of: request, turns)
      func run(_ variation: Variation) -> World.Outcome {
        Self.runs.withLock { $0 += 1 }
        return part.run(variation)
      }
      let variation = try Variation(
        moves: request.moves ?? [], fault: request.fault, schedule: request.schedule)
      switch request.wants {
      case .endings:
        answer.endings = StageEndings.all(
          past: request.crashes ?? [], isLast: request.isLast ?? false
        ) { variation in
          tries(StageTrial(variation))
          return run(variation)
        }
      case .picture:
        answer.picture = Timeline.Recording(parts: [run(variation).recording])
          .svg(title: part.title)
      case nil:
        Self.runs.withLock { $0 += 1 }
        answer.run = part.stageRun(variation, tellsStates: true, &code)
        answer.files = code.files.count > request.files ?? 0 ? code.files : nil
      }
    } catch {
      answer.error = "\(error)"
    }
    return (answer, code)
  }

  private func part(
    of request: Request, _ turns: MainThread.Turns
  ) throws -> PartOnStage {
    guard scenario.parts.indices.contains(request.part - 1) else {
      throw CommandLineOptions.UsageError(description: "there's no part \(request.part)")
    }
    let flags = scenario.flags.filter { request.flags?.contains($0.name) ?? false }
    let options = try CommandLineOptions([]).with(flags: Set(flags))
    return PartOnStage(
      scenario.parts[request.part - 1], options, until: TimeLimit(seconds: options.timeLimit),
      turns)
  }

  /// How many seconds one run may still take when the input has ended.
  private static let patience = 60.0
  /// The number of runs that have begun.
  private static let runs = Locked(0)

  /// The lines of the standard input. When that has ended, each request still gets its answer, but
  /// a run that doesn't end is left.
  private func lines() -> some Sequence<String> {
    let lines = Locked<[String?]>([])
    let count = DispatchSemaphore(value: 0)
    let program = Program(name: scenario.name)
    Thread {
      while true {
        let line = readLine()
        lines.withLock { $0.append(line) }
        count.signal()
        if line == nil { break }
      }
      var before: Int
      repeat {
        before = Self.runs.withLock { $0 }
        Thread.sleep(forTimeInterval: Self.patience)
      } while Self.runs.withLock { $0 } > before
      program.fail("gave up a run that took \(Int(Self.patience)) s, because the input has ended")
    }
    .start()
    return AnySequence {
      AnyIterator {
        count.wait()
        return lines.withLock { $0.removeFirst() }
      }
    }
  }

  private func write(_ value: some Encodable, to output: Int32) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    _ = Program.write(String(decoding: data, as: UTF8.self) + "\n", to: output)
  }
}
