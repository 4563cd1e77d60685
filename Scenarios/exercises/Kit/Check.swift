@_exported import StreamsTesting

/// The check of an exercise: what a learner's code is given, and what should come of it.
public struct Check: Sendable {
  /// The sentence for an answer that's right.
  let learned: String

  let otherInputs: Int
  let setUp: @Sendable (Attempt) -> Void
  let explain: @Sendable (Outcome) -> String?
  let explainOthers: @Sendable (Outcome) -> String?

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - learned: What the learner knows now, in one sentence.
  ///   - otherInputs: How many inputs there are that the page doesn't show.
  ///   - setUp: Gives the learner's code its input, and says what should come of it. Time begins to
  ///     move when it returns.
  ///   - explain: A sentence about a mistake that's typical with the page's input, with numbers
  ///     from the run; `nil` for the general one. It may name a cause only if the run shows it.
  ///   - explainOthers: The same for the other inputs.
  public init(
    learned: String, otherInputs: Int = 24, setUp: @escaping @Sendable (Attempt) -> Void,
    explain: @escaping @Sendable (Outcome) -> String?,
    explainOthers: @escaping @Sendable (Outcome) -> String? = { _ in nil }
  ) {
    self.learned = learned
    self.otherInputs = otherInputs
    self.setUp = setUp
    self.explain = explain
    self.explainOthers = explainOthers
  }
}

/// Runs the learner's code, prints one screen, and ends the program: with 0 if the answer is right,
/// and with 1 if it isn't. With `--stage`, it answers the requests of `make play` instead.
public func answer(
  _ check: Check, filePath: String = #filePath, fileID: String = #fileID
) -> Never {
  if CommandLine.arguments.contains("--stage") {
    playOnStage(check, filePath: filePath, fileID: fileID)
  }
  // Before the learner's code runs.
  let judge = Judge()
  // Not on the main thread, which has to be free for what the learner sends there.
  DispatchQueue.global().async {
    // For the exercise's page.
    let showsAnswer = !CommandLine.arguments.contains("--wanted")
    let page = run(check, input: 0)
    let last = showsAnswer ? outcome(of: check, after: page) { judge.separateOutput() } : page
    let shown = last.isRight ? page : last
    judge.end(screen(of: shown, check, showsAnswer: showsAnswer), isRight: last.isRight)
  }
  dispatchMain()
}

/// Runs all inputs, up to the first one with which the answer is wrong.
///
/// - Parameters:
///   - page: What the page's input gave.
///   - begin: Called before each of the others.
func outcome(
  of check: Check, after page: Outcome? = nil, begin: () -> Void = {}
) -> Outcome {
  var outcome = page ?? run(check, input: 0)
  var input = 0
  while outcome.isRight, input < check.otherInputs {
    input += 1
    begin()
    outcome = run(check, input: input)
  }
  return outcome
}

private func run(_ check: Check, input: Int) -> Outcome {
  let problems = Problems()
  let attempt = withWorld(onProblem: { problems.add($0.message) }) { world in
    let attempt = Attempt(in: world, input: input)
    check.setUp(attempt)
    world.run(until: Attempt.end)
    attempt.collect()
    return attempt
  }
  return Outcome(attempt, problems: problems.all)
}

/// The problems of a world, which come from any thread.
private final class Problems: @unchecked Sendable {
  private let lock = NSLock()
  private var messages: [String] = []

  func add(_ message: String) { lock.withLock { messages.append(message.shown) } }
  var all: [String] { lock.withLock { messages } }
}
