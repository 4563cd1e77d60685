import ExerciseKit

let check = Check(
  learned: "A subscription lives as long as the object that `sink` returns, so keep that object.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script("-a--b|", or: ["a", "b", "c"])
  let messages = attempt.source("messages", script)
  // The page's display is released when the run is over.
  let released = attempt.isPage ? nil : attempt.moment(outside: script)
  if let released { attempt.show("released", Script([("x", released)])) }
  let shown = script.withoutEnd
  var display: Display? = Display(
    show: attempt.expectCalls(released.map { shown.until($0) } ?? shown))
  display?.listen(to: messages)
  attempt.expectSubscription(to: messages, "messages", of: script, cancelledAt: released)
  if let released { attempt.at(released) { display = nil } }
  attempt.keep(AnyCancellable { display = nil })

  if attempt.isPage { return }
  let calls = PassthroughSubject<String, Never>()
  attempt.expect(calls, shown, name: "another display, which stays", onlyOne: true)
  let other = Display { calls.send($0) }
  other.listen(to: attempt.hiddenSource(script))
  attempt.keep(AnyCancellable { _ = other })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().isEmpty, outcome.end(of: "messages") == 0 else { return nil }
  return "Your subscription was cancelled at 0 ms, so the first message, at 10 ms, had no "
    + "subscriber. A subscription lives as long as the object that `sink` returns. What keeps it "
    + "after `listen(to:)`?"
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  if outcome.end(of: "messages") == 0 {
    return "The subscription was cancelled at 0 ms. There's a second display now, so does each one "
      + "keep a subscription of its own?"
  }
  // A subscription that goes on after the wanted end wasn't cancelled.
  guard let released = outcome.wantedEnd(of: "messages"), !outcome.isEmpty("messages"),
    outcome.end(of: "messages") ?? .max > released
  else { return nil }
  return "The display was released at \(released) ms, but its subscription went on. Something else "
    + "than the display keeps it, or it keeps the display."
}
