import ExerciseKit

let check = Check(
  learned:
    "An operator limits what's above it: below `retry`, a timeout is for all tries together.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  struct Lost: Error {}
  var tries = 0
  let lost = Deferred { () -> ColdPublisher<String, any Error> in
    tries += 1
    return attempt.hiddenSource("--#", failure: Lost())
  }
  let slow: ColdPublisher<String, any Error> = attempt.hiddenSource("------#", failure: Lost())
  let silent: ColdPublisher<String, any Error> = attempt.hiddenSource("", failure: Lost())
  let late: ColdPublisher<String, any Error> = attempt.hiddenSource("----(A|)", failure: Lost())
  attempt.expect(
    response(slow), "----------#", name: "each try is lost after 60 ms",
    failure: "TooSlow")
  attempt.expect(response(silent), "----------#", name: "no answer at all", failure: "TooSlow")
  attempt.expect(response(late), "----(A|)", name: "an answer after 40 ms")
  attempt.expect(
    response(lost), "------#", name: "each try is lost after 20 ms", failure: "Lost")
  attempt.expectCount("tries of the last one", 3) { tries }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let end = outcome.end(of: "no answer at all") ?? 0
  if end > 100 {
    return
      "Without an answer, the user waits until \(end) ms: each of the three tries has 100 ms of "
      + "its own, because `timeout` stands above `retry`."
  }
  if !outcome.isRight("an answer after 40 ms") {
    return "An answer after 40 ms is in time, but each try now ends before that."
  }
  if outcome.count("tries of the last one") != 3 {
    return "A request that's lost after 20 ms may be tried three times. You tried it "
      + "\(outcome.count("tries of the last one")) times."
  }
  return nil
}
