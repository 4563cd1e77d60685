import ExerciseKit

let check = Check(
  learned:
    "`share()` makes one subscription for all subscribers of one object, so keep that object.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let request = attempt.source("request", "--(h|)")
  let news = News(request: request.eraseToAnyPublisher())
  for name in ["the title", "the widget", "the badge"] {
    attempt.expect(news.headline, "--(h|)", name: name)
  }
  attempt.expectCount("requests", 1) { request.subscriptions.count }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  guard outcome.count("requests") > 1 else { return nil }
  return outcome.uses("share")
    ? "\(outcome.count("requests")) requests were made: each reader reads the property, each reading "
      + "calls `share()`, and each call makes a new shared stream with one subscriber."
    : "\(outcome.count("requests")) requests were made, because each subscriber subscribes to the "
      + "request itself."
}
