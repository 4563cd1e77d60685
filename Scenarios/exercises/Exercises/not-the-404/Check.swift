import ExerciseKit

let check = Check(
  learned: "`catch` sees the error before it decides, so it can try again or give up.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  var tries = ["busy": 0, "missing": 0, "always": 0]
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
  let always = Deferred {
    tries["always"]! += 1
    return attempt.hiddenSource("--#", ["a": "a"], failure: Status.busy)
  }
  attempt.expect(page(busy), "----(A|)", name: "a 503, then the page")
  attempt.expect(page(missing), "--#", name: "a 404", failure: "Status.notFound")
  attempt.expect(page(always), "----#", name: "a 503 each time", failure: "Status.busy")
  attempt.expectCount("requests for a 404", 1) { tries["missing"]! }
  attempt.expectCount("requests if each is a 503", 2) { tries["always"]! }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let missing = outcome.count("requests for a 404")
  if missing > 1 {
    return "The page that doesn't exist was requested \(missing) times, so its failure came later: "
      + "\(outcome.firstUsed("retry", "catch") ?? "your code") tries again whatever the error is."
  }
  if !outcome.hasFailed("a 404") {
    return "The 404 ended without an error, so no one learns that the page doesn't exist."
  }
  let always = outcome.count("requests if each is a 503")
  if always > 2 { return "A server that stays busy got \(always) requests instead of two." }
  return nil
}
