import ExerciseKit

let check = Check(
  learned: "A connectable publisher waits for `connect()`, so all readers can subscribe first.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  var requests = 0
  for (time, marbles) in [("at once", "(h|)"), ("after 20 ms", "--(h|)")] {
    let readers = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
    attempt.expect(readers.0, marbles, name: "the first reader of a headline \(time)")
    attempt.expect(readers.1, marbles, name: "the second reader of a headline \(time)")
    let headline = Deferred { () -> AnyPublisher<String, Never> in
      requests += 1
      return time == "at once"
        ? ["h"].publisher.eraseToAnyPublisher()
        : attempt.hiddenSource(marbles).eraseToAnyPublisher()
    }
    for reader in deliver(headline, to: readers.0, and: readers.1) { attempt.keep(reader) }
  }
  attempt.expectCount("requests", 2) { requests }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let requests = outcome.count("requests")
  if requests == 0 {
    return "No headline was requested: nothing calls `connect()`."
  }
  if requests > 2 {
    return "Both readers got the headlines, but each one was requested \(requests / 2) times."
  }
  if !outcome.isRight("the second reader of a headline at once") {
    if let sharing = outcome.firstUsed("share", "autoconnect") {
      return
        "\(sharing) starts the request for the first reader. A headline that comes at the same "
        + "instant is over when the second reader subscribes."
    }
    return "You were connected before the readers came, so the first one got the headline at once. "
      + "It was over when the second reader subscribed."
  }
  if !outcome.isRight("the first reader of a headline after 20 ms") {
    return "A headline that takes 20 ms reaches no one: nothing kept what `connect()` returned, so "
      + "the request was cancelled."
  }
  return nil
}
