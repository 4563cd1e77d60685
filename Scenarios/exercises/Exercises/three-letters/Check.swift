import ExerciseKit

let check = Check(
  learned:
    "A short text needs a result too, so give it one with `Just`, and `switchToLatest` drops "
    + "the rest.",
  setUp: setUp, explain: explain)

/// How long a search takes, in milliseconds.
private let latency = 20

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "sw", "b": "swi", "c": "swif", "e": "", "B": "Swing", "C": "Swift"]
  // Not the same text twice in a row, which the learner may skip, and none at the moment of a
  // response.
  let texts = withoutRepeats(
    attempt.script(
      "-b----a--b----ca", ["a": "sw", "b": "swi", "c": "swif"],
      or: ["", "s", "sw", "swi", "swif", "été", "日本"], gaps: 1...5)
  ).spaced { $0 != latency }
  let typed = attempt.source("typed", texts)
  var (searches, shortSearches) = (0, 0)
  let answer = results(for: typed) { text in
    searches += 1
    if text.count < 3 { shortSearches += 1 }
    return attempt.hiddenSource(Script([(found(text), latency)], end: latency))
      .eraseToAnyPublisher()
  }
  // The searches are counted for one subscriber. The same result twice in a row may come once.
  attempt.expect(answer.removeDuplicates(), withoutRepeats(shown(texts)), onlyOne: true)
  attempt.expectCount("searches", texts.values.count { $0.value.count >= 3 }) { searches }
  attempt.note("searches for short texts") { shortSearches }
}

private func found(_ text: String) -> String {
  ["swi": "Swing", "swif": "Swift"][text] ?? "Swan"
}

/// What a user sees.
private func shown(_ texts: Script<String>) -> Script<String> {
  var shown = texts.with([(value: String, time: Int)]())
  for (index, (text, time)) in texts.values.enumerated() {
    let due = time + (text.count < 3 ? 0 : latency)
    if index + 1 < texts.values.count, texts.values[index + 1].time < due { continue }
    shown.values.append((text.count < 3 ? "" : found(text), due))
    shown.end = max(shown.end, due)
  }
  return shown
}

private func withoutRepeats(_ script: Script<String>) -> Script<String> {
  var last: String?
  return script.filter { text in
    defer { last = text }
    return text != last
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if outcome.count("searches for short texts") > 0 {
    return "You searched \(outcome.count("searches")) times, also for texts with two letters."
  }
  if outcome.count("searches") == 3, values == ["Swing", "Swift"] {
    return
      "At 60 ms the text has two letters, and the list still shows `Swing`, because no result came for "
      + "the short text."
  }
  if let last = outcome.values().last, last.text == "Swift" {
    return
      "The text was too short again at 150 ms, but the response for the longer one was shown at "
      + "\(last.time) ms: the old search went on."
  }
  return nil
}
