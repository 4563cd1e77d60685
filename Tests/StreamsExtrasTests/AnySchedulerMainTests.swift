import StreamsFoundation
import TestSupport
import Testing

@testable import StreamsExtras

@Suite struct AnySchedulerMainTests {
  // On Linux, each use of a queue may make another object for it, so these compare labels.
  @Test func isTheMainQueue() {
    let scheduler = AnySchedulerOf<DispatchQueue>.main
    let queue = scheduler.hidden.scheduler as? DispatchQueue
    expectEqual(queue?.label, DispatchQueue.main.label)
  }

  @Test func isAGlobalQueue() {
    let scheduler = AnySchedulerOf<DispatchQueue>.global(qos: .utility)
    let queue = scheduler.hidden.scheduler as? DispatchQueue
    expectEqual(queue?.label, DispatchQueue.global(qos: .utility).label)
    #expect(queue?.label != DispatchQueue.global().label)
  }

  @Test func isTheMainRunLoop() {
    let scheduler = AnySchedulerOf<RunLoop>.main
    #expect(scheduler.hidden.scheduler as? RunLoop === RunLoop.main)
  }

  @Test func isTheMainOperationQueue() {
    let scheduler = AnySchedulerOf<OperationQueue>.main
    #expect(
      scheduler.hidden.scheduler as? OperationQueue === OperationQueue.main)
  }
}
