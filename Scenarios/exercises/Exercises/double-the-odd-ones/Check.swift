import ExerciseKit

let check = Check(
  learned: "An operator sees what the one above it passes on, so the order decides what you test.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script(
    "-1-2-3-4|", ["1": 1, "2": 2, "3": 3, "4": 4], or: Array(-3...9))
  let numbers = attempt.source("numbers", script)
  attempt.expect(
    doubledOddNumbers(numbers), script.filter { !$0.isMultiple(of: 2) }.map { $0 * 2 })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.values().isEmpty, outcome.stands("map", above: "filter") {
    return "Nothing came through: the last `filter` tests numbers that are doubled already, and a "
      + "doubled number is never odd."
  }
  if outcome.values().map(\.text) == ["4", "8"] {
    return "You passed on the even numbers and dropped the odd ones, so 2 and 4 were doubled."
  }
  return nil
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  let isNegative = { (value: Outcome.Value) in value.text.hasPrefix("-") }
  guard outcome.wantedValues().contains(where: isNegative),
    !outcome.values().contains(where: isNegative)
  else { return nil }
  return "You drop the negative odd numbers: in Swift, `-1 % 2` is -1, and not 1. Ask for what "
    + "isn't a multiple of 2."
}
