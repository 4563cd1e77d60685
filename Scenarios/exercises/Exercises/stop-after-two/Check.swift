import ExerciseKit

let check = Check(
  learned: "`prefix(2)` finishes with the second value, and cancels its upstream at once.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script("-a-a-b--c-d|", or: ["a", "b", "C"])
  let names = attempt.source("names", script)
  let second = script.values.first { $0.value != script.values[0].value }
  var wanted = script.withoutRepeats
  if let second {
    wanted = Script([script.values[0], second], end: second.time)
  }
  // With a second subscriber, there are two subscriptions.
  let isAlone = attempt.input.isMultiple(of: 3)
  attempt.expect(winners(names), wanted, onlyOne: isAlone)
  guard isAlone else { return }
  if let second {
    // At that moment, the names may end, too.
    attempt.expectSubscription(
      to: names, "names", of: script.withoutEnd, cancelledAt: second.time)
  } else {
    attempt.expectSubscription(to: names, "names", of: script)
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard let end = outcome.end(of: "names"), let wanted = outcome.wantedEnd() else { return nil }
  let values = outcome.values().map(\.text)
  if values.count > 2, end > wanted {
    return
      "You let \(values.count) names through, so the upstream had to go on until \(end) ms instead "
      + "of \(wanted) ms."
  }
  if values == ["a", "b"], outcome.values().map(\.time) == outcome.wantedValues().map(\.time),
    let yours = outcome.end(), yours > wanted
  {
    return "Both names are right, but your stream ends only at \(yours) ms"
      + (yours == 80 ? ", when a third name arrives." : ".")
      + " After the second one, at \(wanted) ms, there's nothing to wait for."
  }
  if values == ["a"], outcome.end() == 30 {
    return "Your stream ends at 30 ms, with the second `a`. That's the second name, but not the "
      + "second different one."
  }
  return nil
}
