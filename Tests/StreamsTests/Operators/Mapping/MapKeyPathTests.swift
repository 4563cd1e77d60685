import Streams
import TestSupport
import Testing

struct MapKeyPathTests {
  let source = ScriptedPublisher<String, TestError>()

  @Test func publishesTheProperty() {
    let publisher: Publishers.MapKeyPath<ScriptedPublisher<String, TestError>, Int> =
      source.map(\.count)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    #expect(source.send("Ada") == .max(2))
    source.fail("no more")
    #expect(history.events == [.subscription("upstream"), .value(3), .failure("no more")])
    #expect(source.calls == [.request(.max(1))])
    #expect(publisher.keyPath == \String.count)
  }

  @Test func publishesTwoPropertiesInTheirOrder() {
    let publisher = source.map(\.count, \.isEmpty)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    #expect(source.send("Ada") == .max(2))
    source.finish()
    #expect(history.lines == ["subscription upstream", "value (3, false)", "finished"])
    #expect(publisher.keyPath0 == \String.count)
    #expect(publisher.keyPath1 == \String.isEmpty)
  }

  @Test func publishesThreePropertiesInTheirOrder() {
    let publisher = source.map(\.count, \.isEmpty, \.utf8.count)
    let history = publisher.history(demand: .max(1), perValue: .max(2))
    #expect(source.send("Zoë") == .max(2))
    source.fail("no more")
    #expect(
      history.lines == ["subscription upstream", "value (3, false, 4)", "failure no more"])
    #expect(publisher.keyPath0 == \String.count)
    #expect(publisher.keyPath1 == \String.isEmpty)
    #expect(publisher.keyPath2 == \String.utf8.count)
  }
}
