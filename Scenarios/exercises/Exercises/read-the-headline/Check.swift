import ExerciseKit

let check = Check(
  learned: "A connectable publisher waits for `connect()`, so all readers can subscribe first.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.show("headline", "(h|)")
  let (first, second) = (
    PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>()
  )
  attempt.expect(first, "(h|)", name: "the first reader")
  attempt.expect(second, "(h|)", name: "the second reader")
  var requests = 0
  let counted = Deferred { () -> Publishers.Sequence<[String], Never> in
    requests += 1
    return ["h"].publisher
  }
  for reader in deliver(counted, to: first, and: second) { attempt.keep(reader) }
  attempt.expectCount("requests", 1) { requests }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("requests") > 1 {
    return "Both got the headline, but it was requested \(outcome.count("requests")) times."
  }
  if !outcome.isRight("the first reader") {
    return "You connected before anyone had subscribed, so the headline reached no one."
  }
  guard !outcome.isRight("the second reader") else { return nil }
  return outcome.uses(".share")
    ? "`share()` starts the request for the first reader. The headline comes at the same instant, so "
      + "it was over when the second reader subscribed."
    : "You were connected before the readers came, so the first one got the headline at once. It was "
      + "over when the second reader subscribed."
}
