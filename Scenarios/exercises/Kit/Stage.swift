import ScenarioKit
import StreamsTesting

/// Puts the learner's code and the page's input on the stage of `make play`.
///
/// - Parameters:
///   - filePath: The exercise's main file. The learner's file is in its folder.
///   - fileID: The same file with its module.
func playOnStage(_ check: Check, filePath: String, fileID: String) -> Never {
  let outcome = withoutOutput { outcomeForStage(check) }
  let file = LearnersFile(besides: filePath, fileID: fileID)
  let scenario = Scenario(
    file.exercise, outcome.sentenceForStage(check), filePath: file.path, fileID: file.id)
  scenario.part("The page's input", fileID: file.id, line: file.line) { world in
    let attempt = Attempt(in: world, input: 0, stage: file)
    check.setUp(attempt)
    // Until the run is over.
    world.cancellables.insert(AnyCancellable { _ = attempt })
  }
  scenario.run()
}

/// Writes what a body prints to the standard error. The server reads the standard output.
private func withoutOutput<Result>(_ body: () -> Result) -> Result {
  let output = dup(STDOUT_FILENO)
  dup2(STDERR_FILENO, STDOUT_FILENO)
  defer {
    fflush(nil)
    dup2(output, STDOUT_FILENO)
    close(output)
  }
  return body()
}

/// Checks the answer first, so that the stage can say what's wrong.
private func outcomeForStage(_ check: Check) -> Outcome {
  nonisolated(unsafe) var found: Outcome?
  let isFound = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    found = outcome(of: check)
    isFound.signal()
  }
  let end = Date(timeIntervalSinceNow: 5)
  while isFound.wait(timeout: .now()) == .timedOut, Date() < end {
    // The main queue has to be free for what the learner sends there.
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
  guard let found else {
    fatalError("It didn't stop within 5 seconds. Is there a loop in it that never ends?")
  }
  return found
}

/// The file that the learner changes.
struct LearnersFile: Sendable {
  let exercise: String
  let path: String
  let id: String
  /// The line below which the learner's code begins.
  let line: Int

  init(besides main: String, fileID: String) {
    let module = fileID.prefix { $0 != "/" }
    let folder = URL(fileURLWithPath: main).deletingLastPathComponent()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let mark = "// Change only this"
    func text(of file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }
    let files = names.sorted().map { folder.appendingPathComponent($0) }
    let file =
      files.first { $0.pathExtension == "swift" && text(of: $0).contains(mark) }
      ?? folder.appendingPathComponent("main.swift")
    let lines = text(of: file).components(separatedBy: "\n")
    exercise = module.replacingOccurrences(of: "_", with: "-")
    path = file.path
    id = "\(module)/\(file.lastPathComponent)"
    line = (lines.firstIndex { $0.contains(mark) } ?? 0) + 2
  }
}

extension Outcome {
  /// What the learner knows now, or what's wrong, without marks of code.
  fileprivate func sentenceForStage(_ check: Check) -> String {
    let sentence = isRight ? "✓ \(check.learned)" : explanation(check)
    // The stage has the page's input.
    let input = isPage || isRight ? "" : "On another input, which make exercise shows: "
    return input + sentence.replacingOccurrences(of: "`", with: "")
  }
}

extension Attempt {
  /// Shows what's wanted as a lane, at times that stay when the learner moves something.
  func showWanted(_ wanted: MarbleString, failure: String?, as name: String, in file: LearnersFile)
  {
    let lane = PassthroughSubject<String, Wanted>()
    let recorder = world.record(lane, as: name, fileID: file.id, line: file.line)
    keep(AnyCancellable(recorder))
    for placed in wanted.symbols {
      world.clock.schedule(after: placed.time) { [letters] in
        switch placed.symbol {
        case .value(let letter): lane.send(letters[letter] ?? String(letter))
        case .finished: lane.send(completion: .finished)
        case .failure: lane.send(completion: .failure(Wanted(failure: failure ?? "a failure")))
        case .subscription, .cancelled: break
        }
      }
    }
  }

  /// An error that's wanted.
  private struct Wanted: Error, CustomStringConvertible {
    let failure: String
    var description: String { failure }
  }
}
