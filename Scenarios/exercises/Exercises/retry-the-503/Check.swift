import ExerciseKit

let check = Check(
  learned:
    "`retry` acts on errors from above. A status is an error only below the `tryMap` that says so.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  func request(_ path: String, _ responses: StubResponse...) -> URLSession.DataTaskPublisher {
    let url = URL(string: "https://example.com/\(path)")!
    attempt.world.network.stub(RequestPattern(.get, url), responses: responses)
    return attempt.world.session.dataTaskPublisher(for: url)
  }
  let busy = StubResponse.status(503, after: .milliseconds(20))
  let news = StubResponse.text("A", after: .milliseconds(20))
  attempt.expect(load(request("once", busy, news)), "----(A|)", name: "a 503, then the news")
  attempt.expect(load(request("always", busy.repeating)), "----#", name: "a 503 each time")
  attempt.expectCount("requests", 4) { attempt.requestCount }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let count = outcome.count("requests")
  if count == 2, outcome.hasFailed(), outcome.uses(".retry") {
    return
      "Each request was made only once. `retry` stands above `tryMap`, where the 503 is still an "
      + "ordinary response."
  }
  if count == 2, outcome.hasFailed() {
    return "Each request was made only once: nothing tries it again."
  }
  if count == 2 {
    return "The 503 went through as if it were a response like any other: nothing looked at the "
      + "status."
  }
  if count > 4 {
    return "A server that stays busy got \(count - 2) requests instead of two."
  }
  return nil
}
