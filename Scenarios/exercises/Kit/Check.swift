@_exported import StreamsTesting

/// The check of an exercise: what a learner's code is given, and what should come of it.
public struct Check: Sendable {
  /// The sentence for an answer that's right.
  let learned: String

  let setUp: @Sendable (Attempt) -> Void
  let explain: @Sendable (Outcome) -> String?

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - learned: What the learner knows now, in one sentence.
  ///   - setUp: Gives the learner's code its input, and says what should come of it. Time begins to
  ///     move when it returns.
  ///   - explain: A sentence about a mistake that's typical here, with numbers from the run; `nil`
  ///     for the general one.
  public init(
    learned: String, setUp: @escaping @Sendable (Attempt) -> Void,
    explain: @escaping @Sendable (Outcome) -> String?
  ) {
    self.learned = learned
    self.setUp = setUp
    self.explain = explain
  }
}

/// Runs the learner's code, prints one screen, and ends the program: with 0 if the answer is right,
/// and with 1 if it isn't.
///
/// - Parameters:
///   - check: The check.
///   - path: The file of the check. The learner's is next to it.
public func answer(_ check: Check, path: String = #filePath) -> Never {
  // Before the learner's code runs.
  let judge = Judge()
  // Not on the main thread, which has to be free for what the learner sends there.
  DispatchQueue.global().async {
    let outcome = run(check, path: path)
    // For the exercise's page.
    let showsAnswer = !CommandLine.arguments.contains("--wanted")
    judge.end(screen(of: outcome, check, showsAnswer: showsAnswer), isRight: outcome.isRight)
  }
  dispatchMain()
}

private func run(_ check: Check, path: String) -> Outcome {
  let problems = Problems()
  let attempt = withWorld(onProblem: { problems.add($0.message) }) { world in
    let attempt = Attempt(in: world)
    check.setUp(attempt)
    world.run(until: Attempt.end)
    attempt.collect()
    return attempt
  }
  return Outcome(attempt, problems: problems.all, code: learnersCode(nextTo: path))
}

/// The files next to a check, without their comments.
private func learnersCode(nextTo path: String) -> String {
  let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
  let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  return files.filter { $0.hasSuffix(".swift") && $0 != "Check.swift" && $0 != "main.swift" }
    .compactMap { try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    .joined(separator: "\n").split(separator: "\n")
    .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
    .joined(separator: "\n")
}

/// The problems of a world, which come from any thread.
private final class Problems: @unchecked Sendable {
  private let lock = NSLock()
  private var messages: [String] = []

  func add(_ message: String) { lock.withLock { messages.append(message.shown) } }
  var all: [String] { lock.withLock { messages } }
}
