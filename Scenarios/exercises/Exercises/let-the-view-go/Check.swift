import ExerciseKit

let check = Check(
  learned:
    "A closure keeps what it uses. `[weak self]` lets the view go, and its subscription with it.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let numbers = attempt.source("numbers", "-1--2--3|", ["1": 1, "2": 2, "3": 3])
  var view: CounterView? = CounterView(show: attempt.expectCalls("-1--2"))
  weak let left = view
  view?.follow(numbers)
  attempt.expectSubscription(to: numbers, "numbers", "^----!")
  var text = ""
  attempt.at(45) { text = view?.text ?? "" }
  attempt.at(50) { view = nil }
  attempt.expectCount("number in the view at 45 ms", 2) { Int(text) ?? 0 }
  attempt.expectCount("views in memory", 0) { left == nil ? 0 : 1 }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.values().isEmpty {
    return "The subscription ended at once, because nothing kept it. So the view never showed a "
      + "number."
  }
  if outcome.count("number in the view at 45 ms") == 0, outcome.count("views in memory") == 0 {
    return
      "The numbers are shown, but the view doesn't know them: its `text` is still empty at 45 ms."
  }
  guard outcome.values().count > 2 || outcome.count("views in memory") > 0 else { return nil }
  let keeper =
    outcome.uses(".assign") ? "`assign(to:on:)` keeps its object" : "the closure keeps `self`"
  return "The page was left at 50 ms, but the view showed a `3` at 70 ms: the view keeps the "
    + "subscription, and \(keeper), so neither can go."
}
