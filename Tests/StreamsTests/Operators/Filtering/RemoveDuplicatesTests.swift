import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests`.
struct RemoveDuplicatesTests {
  let source = ScriptedPublisher<Int?, Never>()
  let log = CallLog()

  @Test func publishesTheValuesThatAreNotEqualToTheOneBefore() {
    let history = source.removeDuplicates().history()
    for value in [nil, nil, 1, 1, 2, nil, 2] { source.send(value) }
    source.finish()
    expectEqual(history.text, "RemoveDuplicates: nil Optional(1) Optional(2) nil Optional(2) |")
  }

  @Test func comparesWithTheValueReceivedBefore() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.removeDuplicates { previous, value in
      log.append("\(previous) \(value)")
      return value - previous < 2
    }.history()
    for value in [1, 2, 3, 5, 6] { source.send(value) }
    // 3 is far enough from the published 1, but too close to the received 2.
    expectEqual(history.values, [1, 5])
    log.expect(["1 2", "2 3", "3 5", "5 6"])
  }

  @Test func aValueIsStoredBeforeTheClosureRuns() {
    let source = ScriptedPublisher<Int, Never>()
    let history = source.removeDuplicates { previous, value in
      log.append("\(previous) \(value)")
      if value == 2 { source.send(3) }
      return false
    }.history()
    for value in [1, 2, 4] { source.send(value) }
    log.expect(["1 2", "2 3", "3 4"])
    expectEqual(history.values, [1, 3, 2, 4])
  }
}
