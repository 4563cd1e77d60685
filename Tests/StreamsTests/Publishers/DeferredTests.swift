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
    expectEqual(log.lines, ["made", "make", "make"])
    expectEqual(first.events, [.subscription("[1, 2]"), .value(1), .value(2), .finished])
    expectEqual(second.events, [.subscription("[1, 2]")])
  }

  @Test func addsNothing() {
    let source = ScriptedPublisher<Int, TestError>()
    let history = Deferred { source }.history(demand: .max(2), perValue: .max(1))
    expectEqual(source.send(1), .max(1))
    history.request(3)
    source.fail("over")
    history.cancel()
    expectEqual(source.calls, [.request(.max(2)), .request(.max(3)), .cancel])
    expectEqual(history.events, [.subscription("upstream"), .value(1), .failure("over")])
  }

  @Test func makesAFutureRunForEachSubscriber() {
    let log = CallLog()
    let deferred = Deferred {
      Future<Int, TestError> { promise in
        log.append("work")
        promise(.success(log.lines.count))
      }
    }
    expectEqual(log.lines, [])
    expectEqual(deferred.history().values, [1])
    expectEqual(deferred.history().values, [2])
  }
}
