import Streams
import TestSupport
import Testing

struct MapKeyPathTests {
  let source = ScriptedPublisher<String, TestError>()

  @Test func publishesTheProperty() {
    let publisher: Publishers.MapKeyPath<ScriptedPublisher<String, TestError>, Int> =
      source.map(\.count)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    expectEqual(source.send("Ada"), .max(2))
    source.fail("no more")
    expectEqual(history.text, "upstream: 3 x(no more)")
    expectEqual(source.calls, [.request(.max(1))])
    expectEqual(publisher.keyPath, \String.count)
  }

  @Test func publishesTwoPropertiesInTheirOrder() {
    let publisher = source.map(\.count, \.isEmpty)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    expectEqual(source.send("Ada"), .max(2))
    source.finish()
    expectEqual(history.text, "upstream: (3, false) |")
    expectEqual(publisher.keyPath0, \String.count)
    expectEqual(publisher.keyPath1, \String.isEmpty)
  }

  @Test func publishesThreePropertiesInTheirOrder() {
    let publisher = source.map(\.count, \.isEmpty, \.utf8.count)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    expectEqual(source.send("Zoë"), .max(2))
    source.fail("no more")
    expectEqual(history.text, "upstream: (3, false, 4) x(no more)")
    expectEqual(publisher.keyPath0, \String.count)
    expectEqual(publisher.keyPath1, \String.isEmpty)
    expectEqual(publisher.keyPath2, \String.utf8.count)
  }
}
