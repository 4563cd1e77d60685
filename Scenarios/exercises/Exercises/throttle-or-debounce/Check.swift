import ExerciseKit

let check = Check(
  learned: "`throttle` answers at once and then keeps a pace. `debounce` waits for a pause.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let taps = attempt.source(
    "taps", "-1-2-3-----4-------|", ["1": 1, "2": 2, "3": 3, "4": 4])
  attempt.expect(preview(taps), "-1----3----4-------|", name: "the preview")
  attempt.expect(saved(taps), "---------3-----4---|", name: "saved")
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let preview = outcome.values(of: "the preview")
  if preview.first.map({ $0.time > 10 }) ?? true {
    return
      "The first tap is at 10 ms, and the preview stays still until \(preview.first?.time ?? 190) "
      + "ms: `debounce` waits for a pause."
  }
  if preview.map(\.text) == ["1", "2", "4"] {
    return "At 60 ms the preview shows `2`, but `3` is newer: you kept the first tap of each 50 ms."
  }
  if outcome.isRight("the preview"), let first = outcome.values(of: "saved").first, first.time > 90
  {
    return
      "The preview is right. But you save only at \(first.time) ms: the pause that you wait for "
      + "is longer than 40 ms."
  }
  return nil
}
