import ExerciseKit

let check = Check(
  learned: "A subscription lives as long as the object that `sink` returns, so keep that object.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let messages = attempt.source("messages", "-a--b|")
  let display = Display(show: attempt.expectCalls("-a--b"))
  display.listen(to: messages)
  attempt.expectSubscription(to: messages, "messages", "^----|")
  attempt.keep(AnyCancellable { _ = display })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.values().isEmpty, outcome.end(of: "messages") == 0 else { return nil }
  return "Your subscription was cancelled at 0 ms, when `listen(to:)` returned: nothing kept the "
    + "object that `sink` made. So the first message, at 10 ms, reached no one."
}
