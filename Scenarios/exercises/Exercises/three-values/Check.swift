import ExerciseKit

let check = Check(
  learned: "A sequence's publisher delivers its elements to each subscriber, and then the end.",
  // The function has no input, so the runs differ only in their subscribers.
  otherInputs: 8, setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.expect(letters(), Script([("a", 0), ("b", 0), ("c", 0)], end: 0))
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values()
  if outcome.end() == nil, values.map(\.text) == ["a", "b", "c"], values.last?.time == 0 {
    return "All three letters are there, but your stream never ends. A subscriber would wait for "
      + "more of them."
  }
  if values.count == 1, let only = values.first, outcome.end() == 0, !outcome.hasFailed() {
    return "You deliver one value, `\(only.text)`, and then the end, but three values were wanted."
  }
  if let late = values.first(where: { $0.time > 0 }) {
    return "`\(late.text)` comes only at \(late.time) ms, and all letters were wanted at once."
  }
  return nil
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  guard outcome.wrongValue == nil else { return nil }
  return "Each subscriber should get the three letters and the end, not only the first one."
}
