import ExerciseKit

let check = Check(
  learned: "Operators only describe the work. It begins when a subscriber asks for values.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script("-a--b---c|", or: ["a", "b", "ada", "Bob"])
  let names = attempt.source("names", script)
  let shown = script.map { $0.uppercased() }.withoutEnd
  // The page's set is emptied when the run is over.
  let emptied = attempt.isPage ? nil : attempt.moment(outside: script)
  if let emptied { attempt.show("emptied", Script([("x", emptied)])) }
  let show = attempt.expectCalls(emptied.map { shown.until($0) } ?? shown)

  var subscriptions: Set<AnyCancellable> = []
  var ended = 0
  if !attempt.isPage { AnyCancellable { ended += 1 }.store(in: &subscriptions) }
  greet(names, show: show, keepIn: &subscriptions)
  attempt.expectSubscription(to: names, "names", of: script, cancelledAt: emptied)
  if attempt.isPage {
    let isEmpty = subscriptions.isEmpty
    attempt.expectCount("sets with a subscription", 1) { isEmpty ? 0 : 1 }
  } else {
    let others = ended
    attempt.expectCount("other subscriptions that you ended", 0) { others }
  }
  if let emptied { attempt.at(emptied) { subscriptions = [] } }
  attempt.keep(AnyCancellable { subscriptions = [] })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.isEmpty("names") {
    return "Nothing subscribed to the names, so none was delivered. Operators such as `map` and "
      + "`handleEvents` only look at what a subscriber asks for."
  }
  if outcome.values().isEmpty, outcome.end(of: "names") == 0 {
    return "You subscribed, but your subscription was cancelled at 0 ms, before the first name "
      + "arrived at 10 ms. It lives as long as the object that `sink` returns."
  }
  if outcome.values().isEmpty, outcome.end(of: "names") == outcome.wantedEnd(of: "names") {
    return "The names were delivered to your subscription, but `show` was never called."
  }
  if outcome.count("sets with a subscription") == 0, outcome.isRight("names") {
    return "The subscription isn't in the set, so the app can't end it when it empties the set."
  }
  return nil
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  if outcome.count("other subscriptions that you ended") > 0 {
    return
      "There was another subscription in the set, and now it's gone. Add yours, and leave what's "
      + "there."
  }
  // A subscription that goes on after the wanted end wasn't cancelled.
  guard let emptied = outcome.wantedEnd(of: "names"), !outcome.isEmpty("names"),
    outcome.end(of: "names") ?? .max > emptied
  else { return nil }
  return
    "The set was emptied at \(emptied) ms, but your subscription went on. So the set isn't what "
    + "keeps it."
}
