import ExerciseKit

let check = Check(
  learned: "Keep the sum in `scan`, and make the number that people see in `map`.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.letters = ["1": "1 byte", "a": "33", "b": "66", "c": "100"]
  let sizes = attempt.script("-1-1---1|", ["1": 1], or: Array(1...9), count: 1...6)
  let sums = sizes.scan(0, +)
  // The exercise isn't about floating-point numbers, so they give the same percentages here. With
  // others, they don't: 29 / 100.0 * 100 is less than 29.
  func isExact(_ total: Int) -> Bool {
    sums.values.allSatisfy {
      Int(Double($0.value) / Double(total) * 100) == $0.value * 100 / total
    }
  }
  let total = attempt.pick(3, or: [sums.values.last!.value, 100].filter(isExact) + [64])
  let chunks = attempt.source("chunks", sizes.map { Data(count: $0) })
  attempt.expect(
    progress(of: chunks, total: total), sums.map { $0 * 100 / total })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if values == ["33", "33", "33"] {
    return
      "The bar still says 33 % at 30 ms, when two of three bytes are there. Which part of your code "
      + "knows what came before?"
  }
  if values == ["33", "66", "99"] {
    return
      "The download ends at 99 %, which is three times 33: a third lost its fraction too early. Add the "
      + "bytes, and divide last."
  }
  if values == ["0", "0", "100"] {
    return "Whole numbers lose their fraction, so 1 / 3 is 0. Multiply by 100 first."
  }
  return nil
}
