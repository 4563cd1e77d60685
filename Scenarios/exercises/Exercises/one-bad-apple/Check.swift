import ExerciseKit

private struct Worm: Error {}

let check = Check(
  learned:
    "An error ends the stream that it's in. Inside `flatMap`, that's the stream of one apple.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script("-abc-----|", or: ["a", "b", "c", "d"], gaps: 0...2)
  let apples = attempt.source("apples", script)
  let bad = attempt.pick("b", or: ["", "a", "c", "ab", "bd", "abcd"])
  var durations: [String: Int] = [:]
  for apple in ["a", "b", "c", "d"] { durations[apple] = 10 * attempt.pick(2, or: 0...6) }

  // Washings of the same moment end in the order in which they began.
  let washings = script.values.enumerated().map { index, apple in
    (
      index: index, time: apple.time + durations[apple.value]!,
      value: bad.contains(apple.value) ? "x" : apple.value.uppercased()
    )
  }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
  var wanted = script.with(washings.map { (value: $0.value, time: $0.time) })
  wanted.end = max(script.end, washings.last?.time ?? 0)

  var count = 0
  let answer = washed(apples) { apple -> AnyPublisher<String, Worm> in
    count += 1
    let end = durations[apple]!
    let washing =
      bad.contains(apple)
      ? Script([], end: end, fails: true) : Script([(apple.uppercased(), end)], end: end)
    return attempt.hiddenSource(washing, failure: Worm()).eraseToAnyPublisher()
  }
  attempt.expect(answer, wanted)
  // With one subscriber, whom these inputs have, each apple is washed once.
  if !attempt.isPage, attempt.input.isMultiple(of: 4) {
    attempt.expectCount("washings", script.values.count) { count }
  }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let values = outcome.values().map(\.text)
  if outcome.end() == 40 {
    let isHandledBelow = ["ReplaceError", "Catch"].contains {
      outcome.stands("FlatMap", above: $0) && !outcome.stands($0, above: "FlatMap")
    }
    return isHandledBelow
      ? "The bad apple ended the whole stream at 40 ms, so `C` never arrived. The error is handled "
        + "below `flatMap`, where it's too late."
      : "Your stream ended at 40 ms, when the washing of the bad apple fails, so `C` never arrived."
  }
  if values == ["C"], outcome.stands("Map", above: "SwitchToLatest") {
    return "Only the last apple came through, because `switchToLatest` cancels the washing of an "
      + "apple when the next one comes."
  }
  if values == ["A", "C"] {
    return "The bad apple is gone without a trace: at 40 ms, an \"x\" was wanted."
  }
  return nil
}
