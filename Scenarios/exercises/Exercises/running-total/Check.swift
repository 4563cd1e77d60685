import ExerciseKit

let check = Check(
  learned: "`scan` passes on each step of a sum, and `reduce` only the last one.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  let script = attempt.script("-1--2-3---|", ["1": 1, "2": 2, "3": 3], or: [1, 2, 5, 10, 20])
  let coins = attempt.source("coins", script)
  attempt.expect(runningTotal(coins), script.scan(0, +))
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let (yours, wanted) = (outcome.values(), outcome.wantedValues())
  let offsets = Set(zip(yours, wanted).map { (Int($0.text) ?? 0) - (Int($1.text) ?? 0) })
  if yours.map(\.time) == wanted.map(\.time), offsets.count == 1, let offset = offsets.first,
    offset != 0
  {
    return "The times are right, but each total is \(abs(offset)) too "
      + "\(offset > 0 ? "high" : "low"). How much was in the box before the first coin?"
  }
  guard let first = yours.first, first.time == outcome.end(), first.time > wanted[0].time else {
    return nil
  }
  return
    "\(outcome.firstUsed("reduce", "collect", "last") ?? "Your stream") waits for the end, so the "
    + "first total arrives at \(first.time) ms instead of \(wanted[0].time) ms."
}
