import Streams
import TestSupport
import Testing

@Suite struct DeferredTests {
  @Test func makesAPublisherForEachSubscriberWhenItSubscribes() {
    let log = CallLog()
    let deferred = Deferred {
      log.append("make")
      return [1, 2].publisher.setFailureType(to: TestError.self)
    }
    log.append("made")
    let first = deferred.history()
    let second = deferred.history(demand: .none)
    #expect(log.lines == ["made", "make", "make"])
    #expect(first.events == [.subscription("[1, 2]"), .value(1), .value(2), .finished])
    #expect(second.events == [.subscription("[1, 2]")])
  }

  @Test func addsNothing() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = Deferred { source }.history(demand: .max(2), perValue: .max(1))
    #expect(source.send(1) == .max(1))
    history.request(3)
    source.fail("over")
    history.cancel()
    #expect(source.calls == [.request(.max(2)), .request(.max(3)), .cancel])
    #expect(history.events == [.subscription("upstream"), .value(1), .failure("over")])
  }

  @Test func makesAFutureRunForEachSubscriber() {
    let log = CallLog()
    let deferred = Deferred {
      Future<Int, TestError> { promise in
        log.append("work")
        promise(.success(log.lines.count))
      }
    }
    #expect(log.lines == [])
    #expect(deferred.history().values == [1])
    #expect(deferred.history().values == [2])
  }
}
