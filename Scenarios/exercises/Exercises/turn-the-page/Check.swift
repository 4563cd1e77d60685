import ExerciseKit

let check = Check(
  learned:
    "A publisher sends only what was asked for. Requests add up, and you can ask at any time.",
  setUp: setUp, explain: explain)

@Sendable private func setUp(_ attempt: Attempt) {
  attempt.show("turns", "-----t------t")
  let reader = Reader(show: attempt.expectCalls("(ab)-c------d"))
  attempt.at(50) { reader.turnPage() }
  attempt.at(120) { reader.turnPage() }
  var sent = 0
  ["a", "b", "c", "d", "e", "f"].publisher
    .handleEvents(receiveOutput: { _ in sent += 1 })
    .subscribe(reader)
  attempt.expectCount("pages sent by the book", 4) { sent }
}

@Sendable private func explain(_ outcome: Outcome) -> String? {
  let atOnce = outcome.values().count { $0.time == 0 }
  if outcome.count("pages sent by the book") == 6, outcome.values().count > 4 || atOnce > 2 {
    return "You asked for everything, so 6 pages came at 0 ms, and all of them stay in memory."
  }
  if atOnce != 2 { return "At 0 ms, \(atOnce) pages came instead of two." }
  let later = outcome.values().count { $0.time == 50 }
  if atOnce == 2, later == 0 {
    return "After the first two pages you never asked again, so nothing came when the page was "
      + "turned at 50 ms."
  }
  if later > 1 { return "When the page was turned at 50 ms, \(later) pages came instead of one." }
  return nil
}
