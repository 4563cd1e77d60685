import ExerciseKit

let check = Check(
  learned:
    "`retry` acts on errors from above. A status is an error only below the `tryMap` that says so.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let url = URL(string: "https://example.com/news")!
  attempt.world.network.stub(
    .get, url, responses: .status(503, after: .milliseconds(20)),
    .text("A", after: .milliseconds(20)))
  attempt.show("503, then A", "--x-(A|)")
  attempt.expect(load(attempt.world.session.dataTaskPublisher(for: url)), "----(A|)")
  attempt.expectCount("requests", 2) { attempt.requestCount }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("requests") == 1, outcome.hasFailed() {
    return "Only one request was made. `retry` stands above `tryMap`, where the 503 is still an "
      + "ordinary response."
  }
  if outcome.count("requests") == 1 {
    return "The 503 went through as if it were a response like any other: nothing looked at the "
      + "status."
  }
  return nil
}
