import ExerciseKit

let check = Check(
  learned: "`receive(on:)` decides where everything below it runs, up to the next `receive(on:)`.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let queue = DispatchQueue(label: "work")
  let key = DispatchSpecificKey<String>()
  queue.setSpecific(key: key, value: "work")
  DispatchQueue.main.setSpecific(key: key, value: "main")
  let responses = attempt.source("responses", "-a--b|")
  var places = (decoded: [String](), shown: [String]())
  let here = { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }
  let answer = decoded(responses, on: queue) { text in
    places.decoded.append(here())
    return text.uppercased()
  }
  attempt.expect(
    answer.handleEvents(receiveOutput: { _ in places.shown.append(here()) }), "-A--B|")
  attempt.expectCount("decoded on work", 2) { places.decoded.count { $0 == "work" } }
  attempt.expectCount("decoded on main", 0) { places.decoded.count { $0 == "main" } }
  attempt.expectCount("shown on main", 2) { places.shown.count { $0 == "main" } }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  if outcome.count("decoded on work") == 0 {
    return outcome.uses(".subscribe")
      ? "`subscribe(on:)` moves only the subscribing, and not the values, so decoding stayed where "
        + "the responses arrive."
      : outcome.count("decoded on main") == 0
        ? "Nothing moved the responses to `work`, so they were decoded where they arrive."
        : "Your stream moved to the main queue before `map`, so the main queue decoded both "
          + "responses."
  }
  if outcome.count("shown on main") == 0 {
    return
      "Decoding is on `work` now, but the results stayed there too. Nothing brought them to the "
      + "main queue."
  }
  return nil
}
