import ExerciseKit

let check = Check(
  learned:
    "A short text needs a result too, so give it one with `Just`, and `switchToLatest` drops "
    + "the rest.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "sw", "b": "swi", "c": "swif", "e": "", "B": "Swing", "C": "Swift"]
  let texts: ColdPublisher<String, Never> = attempt.source(
    "typed", "-b----a--b----ca", ["a": "sw", "b": "swi", "c": "swif"])
  var searches: [String] = []
  let answer = results(for: texts) { text in
    searches.append(text)
    return attempt.hiddenSource(
      "--(r|)", ["r": ["swi": "Swing", "swif": "Swift"][text] ?? "Swan"]
    ).eraseToAnyPublisher()
  }
  attempt.expect(answer, "---B--e----B---e")
  attempt.expectCount("searches", 3) { searches.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if outcome.count("searches") > 3 {
    return "You searched \(outcome.count("searches")) times, also for texts with two letters."
  }
  if values == ["Swing", "Swing", "Swift"] {
    return
      "At 60 ms the text has two letters, and the list still shows `Swing`: `filter` dropped the "
      + "text, so no one learned that it changed."
  }
  if values.last == "Swift" {
    return
      "The text was too short again at 150 ms, but the response for the longer one was shown at "
      + "160 ms. \(outcome.firstUsed("flatMap", "merge") ?? "Your stream") lets the old search go on."
  }
  return nil
}
