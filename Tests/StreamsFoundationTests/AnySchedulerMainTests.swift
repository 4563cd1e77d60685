import StreamsFoundation
import Testing

@testable import Streams

@Suite struct AnySchedulerMainTests {
  // On Linux, each use of a queue may make another object for it, so these compare labels.
  @Test func isTheMainQueue() {
    let scheduler = AnySchedulerOf<DispatchQueue>.main
    let hidden = scheduler.hidden as? HidingScheduler<DispatchQueue>
    #expect(hidden?.scheduler.label == DispatchQueue.main.label)
  }

  @Test func isAGlobalQueue() {
    let scheduler = AnySchedulerOf<DispatchQueue>.global(qos: .utility)
    let hidden = scheduler.hidden as? HidingScheduler<DispatchQueue>
    #expect(hidden?.scheduler.label == DispatchQueue.global(qos: .utility).label)
    #expect(hidden?.scheduler.label != DispatchQueue.global().label)
  }

  @Test func isTheMainRunLoop() {
    let scheduler = AnySchedulerOf<RunLoop>.main
    #expect((scheduler.hidden as? HidingScheduler<RunLoop>)?.scheduler === RunLoop.main)
  }

  @Test func isTheMainOperationQueue() {
    let scheduler = AnySchedulerOf<OperationQueue>.main
    #expect(
      (scheduler.hidden as? HidingScheduler<OperationQueue>)?.scheduler === OperationQueue.main)
  }
}
