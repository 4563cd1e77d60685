import ExerciseKit

let check = Check(
  learned:
    "A short text needs a result too, so give it one with `Just`, and `switchToLatest` drops "
    + "the rest.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "sw", "b": "swi", "c": "swif", "e": "", "B": "Swing", "C": "Swift"]
  let texts: ColdPublisher<String, Never> = attempt.source(
    "typed", "-b----a---ca", ["a": "sw", "b": "swi", "c": "swif"])
  var searches: [String] = []
  let answer = results(for: texts) { text in
    searches.append(text)
    return attempt.hiddenSource(
      "--(r|)", ["r": ["swi": "Swing", "swif": "Swift"][text] ?? "Swan"]
    ).eraseToAnyPublisher()
  }
  attempt.expect(answer, "---B--e----e")
  attempt.expectCount("searches", 2) { searches.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if outcome.count("searches") > 2 {
    return "You searched \(outcome.count("searches")) times, also for texts with two letters."
  }
  if values == ["Swing", "Swift"] {
    return
      "At 60 ms the text has two letters, and the list still shows `Swing`: `filter` dropped the "
      + "text, so no one learned that it changed."
  }
  if values.last == "Swift" {
    return
      "The text was too short again at 110 ms, but the response for the longer one was shown at "
      + "120 ms. `flatMap` keeps all searches."
  }
  return nil
}
