import ExerciseKit

let check = Check(
  learned: "Operators only describe the work. It begins when a subscriber asks for values.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let names = attempt.source("names", "-a--b---c|")
  let show = attempt.expectCalls("-A--B---C")
  var subscriptions: Set<AnyCancellable> = []
  greet(names, show: show, keepIn: &subscriptions)
  attempt.expectSubscription(to: names, "names", "^--------|")
  let count = subscriptions.count
  attempt.expectCount("kept in the set", 1) { count }
  for subscription in subscriptions { attempt.keep(subscription) }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.isEmpty("names") {
    return "Nothing subscribed to the names, so none was delivered: "
      + "\(outcome.firstUsed("handleEvents", "print") ?? "your last operator") watches a stream "
      + "that others subscribe to."
  }
  if outcome.end(of: "names") == 0 {
    return "You subscribed, but your subscription ended before the first name arrived at 10 ms, "
      + "because nothing kept it."
  }
  if outcome.values().isEmpty {
    return "The names reach your subscriber, which never calls `show`."
  }
  return nil
}
