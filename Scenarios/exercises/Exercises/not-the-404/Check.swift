import ExerciseKit

let check = Check(
  learned: "`catch` sees the error before it decides, so it can try again or give up.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  var tries = ["busy": 0, "missing": 0]
  let busy = Deferred {
    tries["busy"]! += 1
    return tries["busy"] == 1
      ? attempt.hiddenSource("--#", failure: Status.busy)
      : attempt.hiddenSource("--(A|)", failure: Status.busy)
  }
  let missing = Deferred {
    tries["missing"]! += 1
    return attempt.hiddenSource("--#", ["a": "a"], failure: Status.notFound)
  }
  attempt.expect(page(busy), "----(A|)", name: "a 503, then the page")
  attempt.expect(page(missing), "--#", name: "a 404", failure: "Status.notFound")
  attempt.expectCount("requests after the 503", 2) { tries["busy"]! }
  attempt.expectCount("requests after the 404", 1) { tries["missing"]! }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("requests after the 404") > 1 {
    return "The page that doesn't exist was requested "
      + "\(outcome.count("requests after the 404")) times, so its failure came later: `retry` tries "
      + "again whatever the error is."
  }
  if !outcome.hasFailed("a 404") {
    return "The 404 ended without an error, so no one learns that the page doesn't exist."
  }
  return nil
}
