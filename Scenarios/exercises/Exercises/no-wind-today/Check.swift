import ExerciseKit

let check = Check(
  learned: "`combineLatest` waits for a first value of each source, so give a silent one a start.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "3°, no wind", "b": "4°, no wind", "c": "4°, wind 7"]
  let temperature = attempt.source("degrees", "-3---4", ["3": 3, "4": 4])
  let silent = attempt.hiddenSource("", [Character: Int]())
  let late = attempt.hiddenSource("-------7", ["7": 7])
  attempt.expect(line(temperature, silent), "-a---b", name: "the wind sensor is silent")
  attempt.expect(line(temperature, late), "-a---b-c", name: "the wind is 7 from 70 ms on")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.values(of: "the wind sensor is silent").isEmpty {
    return outcome.uses(".replaceEmpty")
      ? "`replaceEmpty` acts when a stream ends without a value. A silent sensor doesn't end, so the "
        + "line stays empty."
      : "The temperature came at 10 ms, and the line stays empty: `combineLatest` waits until each of "
        + "its sources has sent something."
  }
  if outcome.uses(".zip") {
    return "The second temperature, at 50 ms, waits for a second wind: `zip` makes pairs, and uses "
      + "each value once."
  }
  return nil
}
