import ExerciseKit

let check = Check(
  learned: "A sequence's publisher delivers its elements to each subscriber, and then the end.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.expect(letters(), "(abc|)")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values()
  if outcome.end() == nil, values.count == 3 {
    return "All three letters are there, but your stream never ends. A subscriber would wait for "
      + "more of them."
  }
  if values.count == 1, let only = values.first, outcome.end() == 0, outcome.uses("Just") {
    return "You deliver one value, `\(only.text)`, and then the end. `Just` has no room for three "
      + "values."
  }
  return nil
}
