import Foundation
import Streams
import TestSupport
import Testing

struct ThrottleThreadTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  @Test func deliveriesFromManyThreadsDoNotOverlapAndKeepTheirOrder() {
    for _ in 0..<100 {
      let source = Source()
      let scheduler = ManualScheduler()
      let room = Room()
      let history = History<Int, TestError>()
      history.onValue = { _ in
        room.visit()
        return .none
      }
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      onThreads(3) { thread in
        if thread == 0 {
          for value in 0..<50 { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<50 { scheduler.runNext() }
        }
      }
      scheduler.run()
      #expect(history.values == Array(Set(history.values)).sorted())
      #expect(history.values.last == 49)
      #expect(history.completion == .finished)
      #expect(room.encounters == 0)
      history.onValue = nil
    }
  }

  /// The second delivery waits for the first. A value that arrives meanwhile still takes the
  /// waiting one's place, because a delivery takes its value only when it's its turn.
  @Test func aDeliveryThatWaitsForItsTurnHasNotTakenItsValue() {
    for _ in 0..<50 {
      let source = Source()
      let scheduler = ManualScheduler()
      let hasBegun = Locked(false)
      let isSecondRunning = Locked(false)
      let history = History<Int, TestError>()
      history.onValue = { value in
        guard value == 1 else { return .none }
        source.send(2)
        hasBegun.withLock { $0 = true }
        while !isSecondRunning.withLock({ $0 }) { sched_yield() }
        // The second thread goes on to the gate.
        for _ in 0..<200 { sched_yield() }
        source.send(3)
        return .none
      }
      source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .subscribe(history)
      source.send(1)
      onThreads(2) { thread in
        if thread == 1 {
          while !hasBegun.withLock({ $0 }) { sched_yield() }
          isSecondRunning.withLock { $0 = true }
        }
        scheduler.runNext()
      }
      scheduler.run()
      #expect(history.values == [1, 3])
      history.onValue = nil
    }
  }

  @Test func aConcurrentQueueKeepsTheOrderToo() {
    let queue = ConcurrentQueue()
    let source = Source()
    let room = Room()
    let ended = DispatchSemaphore(value: 0)
    let history = History<Int, TestError>()
    history.onValue = { _ in
      room.visit()
      return .none
    }
    history.onCompletion = { _ in ended.signal() }
    source.throttle(for: .microseconds(1), scheduler: queue, latest: true).subscribe(history)
    for value in 0..<20_000 { source.send(value) }
    source.finish()
    ended.wait()
    #expect(history.values == Array(Set(history.values)).sorted())
    #expect(history.values.last == 19_999)
    #expect(room.encounters == 0)
    history.onValue = nil
    history.onCompletion = nil
  }
}
