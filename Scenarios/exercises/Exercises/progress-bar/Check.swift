import ExerciseKit

let check = Check(
  learned: "Keep the sum in `scan`, and make the number that people see in `map`.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["1": "1 byte", "a": "33", "b": "66", "c": "100"]
  let sizes = attempt.script("-1-1---1|", ["1": 1], or: Array(1...9), count: 1...6)
  let total = attempt.pick(3, or: [sizes.values.reduce(0) { $0 + $1.value }, 100])
  let chunks = attempt.source("chunks", sizes.map { Data(count: $0) })
  attempt.expect(
    progress(of: chunks, total: total), sizes.scan(0, +).map { $0 * 100 / total })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if values == ["33", "33", "33"] {
    return
      "The bar still says 33 % at 30 ms, because it shows the size of each chunk alone. How much has "
      + "arrived until then?"
  }
  if values == ["33", "66", "99"] {
    return
      "The download ends at 99 %: each percentage has lost its fraction before you add it. Add "
      + "the bytes instead."
  }
  if values.first == "0" {
    return "Whole numbers lose their fraction, so 1 / 3 is 0. Multiply by 100 first."
  }
  return nil
}
