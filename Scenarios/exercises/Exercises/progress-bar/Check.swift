import ExerciseKit

let check = Check(
  learned: "Keep the sum in `scan`, and make the number that people see in `map`.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["a": "25", "b": "50", "c": "100"]
  let chunks = attempt.source(
    "chunks", "-2-2---4|", ["2": Data(count: 2), "4": Data(count: 4)])
  attempt.expect(progress(of: chunks, total: 8), "-a-b---c|")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if values == ["25", "25", "50"] {
    return
      "You gave the size of each chunk, so the bar stays at 25 % at 30 ms. How much has arrived "
      + "until then?"
  }
  if values.first == "0" {
    return "Whole numbers lose their fraction, so 2 / 8 is 0. Multiply by 100 first."
  }
  return nil
}
