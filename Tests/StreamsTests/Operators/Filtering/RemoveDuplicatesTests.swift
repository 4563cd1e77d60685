import Streams
import TestSupport
import Testing

/// Tests behaviour that only this operator has. Shared behaviour is tested in `SieveStageTests`.
struct RemoveDuplicatesTests {
  let source = ScriptedPublisher<Int?, Never>()

  @Test func publishesTheValuesThatAreNotEqualToTheOneBefore() {
    let history = source.removeDuplicates().history()
    for value in [nil, nil, 1, 1, 2, nil, 2] { source.send(value) }
    source.finish()
    #expect(
      history.events == [
        .subscription("RemoveDuplicates"), .value(nil), .value(1), .value(2), .value(nil),
        .value(2), .finished,
      ])
  }

  @Test func comparesWithTheValueReceivedBefore() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>()
    let history = source.removeDuplicates { previous, value in
      log.append("\(previous) \(value)")
      return value - previous < 2
    }.history()
    for value in [1, 2, 3, 5, 6] { source.send(value) }
    // 3 is far enough from the published 1, but too close to the received 2.
    #expect(history.values == [1, 5])
    #expect(log.lines == ["1 2", "2 3", "3 5", "5 6"])
  }

  @Test func aValueIsStoredBeforeTheClosureRuns() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>()
    let history = source.removeDuplicates { previous, value in
      log.append("\(previous) \(value)")
      if value == 2 { source.send(3) }
      return false
    }.history()
    for value in [1, 2, 4] { source.send(value) }
    #expect(log.lines == ["1 2", "2 3", "3 4"])
    #expect(history.values == [1, 3, 2, 4])
  }
}
