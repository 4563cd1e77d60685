import Streams
import TestSupport
import Testing

struct SetFailureTypeTests {
  @Test func passesEverythingOnUnchanged() {
    let log = CallLog()
    let source = ScriptedPublisher<Int, Never>(log: log)
    let history = History<Int, TestError>(demand: .max(1), perValue: .max(2), log: log)
    source.setFailureType(to: TestError.self).subscribe(history)
    #expect(source.send(1) == .max(2))
    history.request(3)
    source.finish()
    history.cancel()
    #expect(
      log.lines == [
        "upstream: subscribe", "downstream: subscription upstream", "upstream: request max(1)",
        "downstream: value 1", "upstream: request max(3)", "downstream: finished",
        "upstream: cancel",
      ])
  }

  @Test func aSecondTypeReplacesTheFirst() {
    let publisher: Publishers.SetFailureType<Single, any Error> = Single(value: 1)
      .setFailureType(to: TestError.self).setFailureType(to: (any Error).self)
    #expect(publisher.upstream == Single(value: 1))
    #expect(publisher.history().values == [1])
  }

  @Test func isEqualIfUpstreamIs() {
    let one = Single(value: 1).setFailureType(to: TestError.self)
    #expect(one == Single(value: 1).setFailureType(to: TestError.self))
    #expect(one != Single(value: 2).setFailureType(to: TestError.self))
  }
}
