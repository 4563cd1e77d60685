import ExerciseKit

let check = Check(
  learned: "`throttle` answers at once and then keeps a pace. `debounce` waits for a pause.",
  setUp: setUp, explain: explain)

private let (pace, pause) = (50, 40)

@Sendable private func setUp(_ attempt: Attempt) {
  var script = attempt.script(
    "-1-2-3-----4-------|", ["1": 1, "2": 2, "3": 3, "4": 4], or: Array(1...9), count: 1...8,
    gaps: 1...7)
  if !attempt.isPage {
    // No tap at a moment when the pause or the interval is over, and an end when all has been
    // shown.
    script = script.spaced { $0 != pause }
    while let next = tie(in: script) {
      for index in next..<script.values.count { script.values[index].time += 10 }
      script = script.spaced { $0 != pause }
    }
    script.end = (script.values.last?.time ?? 0) + 100
  }
  let taps = attempt.source("taps", script)
  attempt.expect(preview(taps), throttled(script), name: "the preview")
  attempt.expect(saved(taps), debounced(script), name: "saved")
}

/// The first one at once, and then the latest one every 50 ms.
private func throttled(_ taps: Script<Int>) -> Script<Int> {
  var shown: [(value: Int, time: Int)] = []
  var next = 0
  for (index, (tap, time)) in taps.values.enumerated() {
    if time >= next {
      shown.append((tap, time))
      next = time + pace
    } else if index + 1 == taps.values.count || taps.values[index + 1].time >= next {
      shown.append((tap, next))
      next += pace
    }
  }
  return taps.with(shown)
}

/// The first tap that comes when an interval is over.
private func tie(in taps: Script<Int>) -> Int? {
  let ends = throttled(taps).values.map { $0.time + pace }
  return taps.values.firstIndex { ends.contains($0.time) }
}

/// Those that no other one follows within 40 ms.
private func debounced(_ taps: Script<Int>) -> Script<Int> {
  taps.with(
    taps.values.enumerated().compactMap { index, tap in
      let due = tap.time + pause
      let isLast = index + 1 == taps.values.count
      return isLast || taps.values[index + 1].time > due ? (tap.value, due) : nil
    })
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let preview = outcome.values(of: "the preview")
  if let first = preview.first, first.time > 10 {
    return "The first tap is at 10 ms, and the preview stays still until \(first.time) ms."
      + (outcome.has("debounce", in: "the preview") ? " `debounce` waits for a pause." : "")
  }
  if preview.map(\.text) == ["1", "2", "4"], preview[1].time == 60 {
    return "At 60 ms the preview shows `2`, but `3` is newer: you kept the first tap of each 50 ms."
  }
  if outcome.isRight("the preview"), let first = outcome.values(of: "saved").first, first.time > 90
  {
    return
      "The preview is right. But you save only at \(first.time) ms, and the first pause of 40 ms is over "
      + "at 90 ms."
  }
  return nil
}
