import ExerciseKit

let check = Check(
  learned: "`tryMap` turns a value into an error, so check a response before you decode it.",
  setUp: setUp, explain: explain, explainOthers: explainOthers)

@Sendable private func setUp(_ attempt: Attempt) {
  func expect(_ bodies: Script<String>, name: String) {
    let source = attempt.hiddenSource(
      bodies.map { Data($0.utf8) }, failure: URLError(.networkConnectionLost))
    let wanted = names(bodies)
    attempt.expect(userName(source), wanted.names, name: name, failure: wanted.failure)
  }
  if attempt.isPage {
    for body in ["\"A\"", "", "{"] {
      expect(
        Script([(body, 20)], end: 20), name: "the body is \(body.isEmpty ? "empty" : body)")
    }
    return
  }
  let bodies = attempt.script(
    "", or: ["\"A\"", "\"Ada\"", "\"\"", "", " ", "{", "7"], gaps: 1...4,
    endings: [.finished, .failed, .none])
  attempt.show("bodies", bodies.map { $0.isEmpty ? "an empty body" : $0 })
  expect(bodies, name: "these bodies")
  let end = 10 * attempt.pick(2, or: 0...5)
  expect(Script([], end: end, fails: true), name: "the connection is lost at \(end) ms")
}

/// The names in some bodies, up to the first error.
private func names(_ bodies: Script<String>) -> (names: Script<String>, failure: String?) {
  var names: [(value: String, time: Int)] = []
  for (body, time) in bodies.values {
    let failure =
      switch body {
      case "": "NoUser"
      case "7": "DecodingError.typeMismatch"
      case _ where body.hasPrefix("\""): String?.none
      default: "DecodingError.dataCorrupted"
      }
    if let failure { return (Script(names, end: time, fails: true), failure) }
    names.append((String(body.dropFirst().dropLast()), time))
  }
  return (bodies.with(names), "URLError.\(URLError.Code.networkConnectionLost.rawValue)")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let empty = "the body is empty"
  if !outcome.hasFailed(empty), outcome.values(of: empty).isEmpty, outcome.end(of: empty) != nil {
    return "The empty body disappeared, so the stream ended without a value and without an error. "
      + "No one would know that there's no user."
  }
  if outcome.isRight(empty), outcome.failure(of: "the body is {") == "NoUser" {
    return "Broken JSON fails with `NoUser` too, so it looks like a missing user."
  }
  if outcome.failure(of: empty)?.hasPrefix("DecodingError") ?? false {
    return
      "The decoder got the empty body first, and its error is about JSON. Who could have looked "
      + "at the body before?"
  }
  return nil
}

@Sendable private func explainOthers(_ outcome: Outcome) -> String? {
  guard let failure = outcome.wrongFailure else { return nil }
  return
    "The stream should fail with `\(failure.wanted)`, and it fails with `\(failure.yours)`. Only an "
    + "empty body means that there's no user."
}
