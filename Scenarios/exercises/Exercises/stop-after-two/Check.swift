import ExerciseKit

let check = Check(
  learned: "`prefix(2)` finishes with the second value, and cancels its upstream at once.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let names = attempt.source("names", "-a-a-b--c-d|")
  attempt.expect(winners(names), "-a---(b|)")
  attempt.expectSubscription(to: names, "names", "^----!")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard let end = outcome.end(of: "names"), let wanted = outcome.wantedEnd() else { return nil }
  let count = outcome.values().count
  if count > 2 {
    return
      "You let \(count) names through, so the upstream had to go on until \(end) ms instead of "
      + "\(wanted) ms."
  }
  if count == 2, let yours = outcome.end(), yours > wanted {
    return "Both names are right, but your stream ends only at \(yours) ms: it waited for a third "
      + "name to find out that two are enough."
  }
  if count == 1, outcome.end() == 30 {
    return "You counted before you removed the duplicates, so the second `a` was one of your two "
      + "names."
  }
  return nil
}
