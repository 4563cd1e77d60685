import ExerciseKit

let check = Check(
  learned: "`tryMap` turns a value into an error, so check a response before you decode it.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  func body(_ marbles: String, _ text: String) -> some Publisher<Data, URLError> {
    attempt.hiddenSource(marbles, ["b": Data(text.utf8)], failure: URLError(.unknown))
  }
  attempt.expect(
    userName(body("--(b|)", "\"A\"")), "--(A|)", name: "the body is \"A\"")
  attempt.expect(
    userName(body("--(b|)", "")), "--#", name: "the body is empty", failure: "NoUser")
  attempt.expect(
    userName(body("--(b|)", "{")), "--#", name: "the body is {",
    failure: "DecodingError.dataCorrupted")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let empty = "the body is empty"
  if !outcome.hasFailed(empty), outcome.values(of: empty).isEmpty, outcome.end(of: empty) != nil {
    return "The empty body disappeared, so the stream ended without a value and without an error. "
      + "No one would know that there's no user."
  }
  if outcome.isRight(empty), outcome.failure(of: "the body is {") == "NoUser" {
    return "You renamed every error, so broken JSON now looks like a missing user."
  }
  if outcome.failure(of: empty)?.hasPrefix("DecodingError") ?? false {
    return
      "The decoder got the empty body first, and its error is about JSON. Who could have looked "
      + "at the body before?"
  }
  return nil
}
