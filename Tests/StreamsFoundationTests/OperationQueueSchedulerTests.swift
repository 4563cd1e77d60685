import StreamsFoundation
import TestSupport
import Testing

/// Tests on real queues, where only the order of events is certain. The fixture `every-queue` tests
/// exact times, in virtual time.
@Suite struct OperationQueueSchedulerTests {
  private let log = CallLog()

  private func serialQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }

  @Test func runsActionsOnTheQueue() {
    let queue = serialQueue()
    queue.schedule { log.append("\(OperationQueue.current === queue)") }
    queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
      log.append("later, \(OperationQueue.current === queue)")
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["true", "later, true"])
  }

  @Test func delayedWorkIsAnOperationThatBlocksNoOther() {
    let queue = serialQueue()
    let start = queue.now
    let date = start.advanced(by: .milliseconds(20))
    queue.schedule(after: date) { log.append("later, in time: \(queue.now >= date)") }
    #expect(queue.operationCount == 1)
    queue.schedule { log.append("at once") }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["at once", "later, in time: true"])
  }

  @Test func manyDelayedOperationsCanBeCancelled() {
    let queue = serialQueue()
    let date = queue.now.advanced(by: .seconds(3600))
    var tokens: [any Cancellable] = []
    for _ in 0..<250 {
      queue.schedule(after: date) { log.append("ran") }
      tokens.append(queue.schedule(after: date, interval: .seconds(1)) { log.append("tick") })
    }
    #expect(queue.operationCount == 500)
    for token in tokens { token.cancel() }
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == [])
    #expect(queue.operationCount == 0)
  }

  @Test func aBarrierHoldsUpNoDelayedWorkThatCameBeforeIt() {
    let queue = serialQueue()
    let ran = DispatchSemaphore(value: 0)
    queue.schedule(after: queue.now.advanced(by: .milliseconds(10))) {
      log.append("short")
      ran.signal()
    }
    let long = hold(1, in: queue)
    queue.addBarrierBlock { log.append("barrier") }
    queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) { log.append("behind it") }
    #expect(ran.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["short"])
    for token in long { token.cancel() }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["short", "barrier", "behind it"])
  }

  /// There's always work that waits, as behind `debounce`.
  @Test func aBarrierHasItsTurnThoughThereIsAlwaysDelayedWork() {
    let queue = serialQueue()
    let ran = DispatchSemaphore(value: 0)
    var latest = hold(1, in: queue)
    queue.addBarrierBlock { ran.signal() }
    for _ in 0..<1000 {
      let next = hold(1, in: queue)
      for token in latest { token.cancel() }
      latest = next
    }
    #expect(ran.wait(timeout: .now() + .hangLimit) == .success)
    for token in latest { token.cancel() }
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test func workOfSeveralQueuesWaitsOnItsOwn() {
    let (first, second) = (serialQueue(), serialQueue())
    first.schedule(after: first.now.advanced(by: .seconds(3600))) { log.append("first") }
    second.schedule(after: second.now.advanced(by: .milliseconds(1))) { log.append("second") }
    second.waitUntilAllOperationsAreFinished()
    #expect(first.operationCount == 1)
    first.cancelAllOperations()
    first.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["second"])
  }

  @Test func theQueueWaitsForWorkThatWasDelayedMeanwhile() {
    let queue = serialQueue()
    queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
      log.append("first")
      queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) { log.append("second") }
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["first", "second"])
  }

  @Test func releasesItsQueueWhenAllWorkIsDone() {
    let isReleased = DispatchSemaphore(value: 0)
    do {
      let queue = SignallingQueue(isReleased)
      for _ in 0..<70 { queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {} }
      queue.schedule(after: queue.now.advanced(by: .seconds(3600)), interval: 1) {}.cancel()
    }
    #expect(isReleased.wait(timeout: .now() + .hangLimit) == .success)
  }

  @Test func delayedWorkIsCancellable() throws {
    let queue = serialQueue()
    queue.schedule(after: queue.now.advanced(by: .seconds(3600))) { log.append("ran") }
    let work = try #require(queue.operations.first as? any Cancellable)
    work.cancel()
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == [])
  }

  @Test func aPastDateIsNow() {
    let queue = serialQueue()
    queue.schedule(after: .init(.distantPast)) { log.append("ran") }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["ran"])
  }

  @Test(arguments: [nil, 1]) func cancellingAllOperationsDropsDelayedWork(interval: Double?) {
    let queue = serialQueue()
    let date = queue.now.advanced(by: .seconds(3600))
    weak var captured: CallLog?
    var token: (any Cancellable)?
    do {
      let capture = CallLog()
      captured = capture
      if let interval {
        token = queue.schedule(after: date, interval: .seconds(interval)) { capture.append("") }
      } else {
        queue.schedule(after: date) { capture.append("") }
      }
    }
    #expect(captured != nil)
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    #expect(captured == nil)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: ["cancelled", "released"]) func repeatsFromItsDateUntil(end: String) throws {
    let queue = serialQueue()
    let thrice = DispatchSemaphore(value: 0)
    let start = queue.now.advanced(by: .milliseconds(2))
    var token: (any Cancellable)? = queue.schedule(after: start, interval: .milliseconds(1)) {
      let count = log.lines.count
      let date = start.advanced(by: .milliseconds(count))
      log.append("in time: \(queue.now >= date)")
      if count == 2 { thrice.signal() }
    }
    try #require(thrice.wait(timeout: .now() + .hangLimit) == .success)
    if end == "cancelled" { token?.cancel() }
    token = nil
    queue.waitUntilAllOperationsAreFinished()
    let lines = log.lines
    #expect(lines == Array(repeating: "in time: true", count: max(3, lines.count)))
    queue.schedule(after: queue.now.advanced(by: .milliseconds(5))) {}
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == lines)
  }

  @Test func aRepeatCanCancelItself() {
    let queue = serialQueue()
    let token = Locked<(any Cancellable)?>(nil)
    queue.isSuspended = true
    token.withLock {
      $0 = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        log.append("tick")
        if log.lines.count == 2 { token.withLock { $0 }?.cancel() }
      }
    }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["tick", "tick"])
  }

  @Test func aRepeatEndsWhenItsQueueCancelsTheRunningTick() {
    let queue = OperationQueue()
    let token = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
      log.append("tick")
      queue.cancelAllOperations()
    }
    queue.waitUntilAllOperationsAreFinished()
    #expect(log.lines == ["tick"])
    withExtendedLifetime(token) {}
  }

  @Test func ticksOfARepeatDoNotOverlap() throws {
    let queue = OperationQueue()
    let room = Room()
    let tenTimes = DispatchSemaphore(value: 0)
    let token = queue.schedule(after: queue.now, interval: .microseconds(1)) {
      room.visit()
      log.append("tick")
      if log.lines.count == 10 { tenTimes.signal() }
    }
    try #require(tenTimes.wait(timeout: .now() + .hangLimit) == .success)
    token.cancel()
    queue.waitUntilAllOperationsAreFinished()
    #expect(room.encounters == 0)
  }

  @Test func aCancelledRepeatReleasesItsActionAtOnce() {
    let queue = OperationQueue()
    queue.isSuspended = true
    expectRelease { queue.schedule(after: queue.now, interval: .seconds(3600), $0) }
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
  }

  @Test(arguments: [0, 60])
  func threadsMayScheduleAndCancelWhileOperationsBecomeReady(held: Int) {
    let queue = OperationQueue()
    let tokens = hold(held, in: queue)
    // Several threads use the queue at once.
    onThreads(3) { thread in
      for round in 0..<200 {
        let date = queue.now.advanced(by: .microseconds(round % 7 * 20))
        let token = queue.schedule(after: date, interval: .microseconds(50)) {
          if round % 50 == 0 { log.append("tick") }
        }
        if round % 3 == thread { queue.schedule(after: date) { log.append("once") } }
        token.cancel()
      }
    }
    for token in tokens { token.cancel() }
    queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
    #expect(log.lines.filter { $0 == "once" }.count == 200)
  }

  /// Schedules work for a distant date, which waits until its token is cancelled.
  private func hold(_ count: Int, in queue: OperationQueue) -> [any Cancellable] {
    let date = queue.now.advanced(by: .seconds(3600))
    return (0..<count).map { _ in queue.schedule(after: date, interval: .seconds(1)) {} }
  }
}

/// A queue that signals when it's released.
private final class SignallingQueue: OperationQueue, @unchecked Sendable {
  private let isReleased: DispatchSemaphore

  init(_ isReleased: DispatchSemaphore) {
    self.isReleased = isReleased
    super.init()
  }

  deinit { isReleased.signal() }
}
