import ExerciseKit

private struct Worm: Error {}

let check = Check(
  learned:
    "An error ends the stream that it's in. Inside `flatMap`, that's the stream of one apple.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let apples = attempt.source("apples", "-abc-----|")
  let answer = washed(apples) { apple -> AnyPublisher<String, Worm> in
    apple == "b"
      ? attempt.hiddenSource("--#", failure: Worm()).eraseToAnyPublisher()
      : attempt.hiddenSource("--(w|)", ["w": apple.uppercased()], failure: Worm())
        .eraseToAnyPublisher()
  }
  attempt.expect(answer, "---AxC---|")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard let end = outcome.end(), let wanted = outcome.wantedEnd() else { return nil }
  if end < wanted {
    return "The bad apple ended the whole stream at \(end) ms, so `C` never arrived: "
      + "\(outcome.firstUsed("replaceError", "catch") ?? "your error handling") acts below "
      + "`flatMap`, where it's too late."
  }
  if outcome.uses(".switchToLatest") {
    return
      "Each new apple cancelled the washing of the one before it, so only the last one is clean."
  }
  if outcome.values().count == 2 {
    return "The bad apple is gone without a trace: at 40 ms, an \"x\" was wanted."
  }
  return nil
}
