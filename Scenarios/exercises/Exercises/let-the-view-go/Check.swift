import ExerciseKit

let check = Check(
  learned:
    "A closure keeps what it uses. `[weak self]` lets the view go, and its subscription with it.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  // A view that gets the number that it has shows the same.
  let script = attempt.script(
    "-1--2--3|", ["1": 1, "2": 2, "3": 3], or: [1, 2, 3, 42]
  ).withoutRepeats
  let numbers = attempt.source("numbers", script)
  let leaving = attempt.isPage ? 50 : attempt.moment(outside: script)
  if !attempt.isPage { attempt.show("left", Script([("x", leaving)])) }
  let shown = script.map { "\($0)" }.withoutEnd

  var view: CounterView? = CounterView(show: attempt.expectCalls(shown.until(leaving)))
  weak let left = view
  view?.follow(numbers)
  attempt.expectSubscription(to: numbers, "numbers", of: script, cancelledAt: leaving)
  let look = max(leaving - 5, 0)
  var text = ""
  attempt.at(look) { text = view?.text ?? "" }
  attempt.at(leaving) { view = nil }
  attempt.expectCount(
    "number in the view at \(look) ms", script.until(look).values.last?.value ?? 0
  ) { Int(text) ?? 0 }
  var isLeft = true
  attempt.at(leaving + 5) { isLeft = left == nil }
  attempt.expectCount("views in memory at \(leaving + 5) ms", 0) { isLeft ? 0 : 1 }

  if attempt.isPage { return }
  let calls = PassthroughSubject<String, Never>()
  attempt.expect(calls, shown, name: "another view, which stays", onlyOne: true)
  let other = CounterView { calls.send($0) }
  other.follow(attempt.hiddenSource(script))
  attempt.keep(AnyCancellable { _ = other })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.values().isEmpty, outcome.end(of: "numbers") == 0 {
    return "The subscription was cancelled at 0 ms, so the view never showed a number. It lives as "
      + "long as the object that `sink` returns."
  }
  if outcome.count("views in memory at 55 ms") > 0 {
    return
      "The page was left at 50 ms, but the view is still in memory at 55 ms, so something keeps "
      + "it. A closure keeps what it uses, and `assign(to:on:)` keeps its object."
  }
  if let late = outcome.values().first(where: { $0.time > 50 }) {
    return "The page was left at 50 ms, and the view is gone, but `\(late.text)` is still shown at "
      + "\(late.time) ms."
  }
  if outcome.count("number in the view at 45 ms") == 0, outcome.isRight("numbers") {
    return
      "The numbers are shown, but the view doesn't know them: its `text` is still empty at 45 ms."
  }
  return nil
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  if outcome.end(of: "numbers") == 0 {
    return
      "The subscription was cancelled at 0 ms. There's a second view now, so does each one keep "
      + "a subscription of its own?"
  }
  // A subscription that goes on after the wanted end wasn't cancelled.
  guard let leaving = outcome.wantedEnd(of: "numbers"), !outcome.isEmpty("numbers"),
    outcome.end(of: "numbers") ?? .max > leaving
  else { return nil }
  return "The page was left at \(leaving) ms, but the view's subscription went on."
}
