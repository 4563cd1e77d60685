import Foundation
import Streams
import TestSupport
import Testing

struct ThrottleThreadTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  /// `debounce` too, on a scheduler that can't cancel.
  @Test(arguments: [false, true])
  func deliveriesFromManyThreadsDoNotOverlapAndKeepTheirOrder(debounces: Bool) {
    for _ in 0..<100 {
      let source = Source()
      let scheduler = ManualScheduler(cancels: !debounces)
      let room = Room()
      let stream =
        debounces
        ? source.debounce(for: .nanoseconds(13), scheduler: scheduler).eraseToAnyPublisher()
        : source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
          .eraseToAnyPublisher()
      let history = stream.history { _, _ in room.visit() }
      onThreads(3) { thread in
        if thread == 0 {
          for value in 0..<50 { source.send(value) }
          // It would drop what a `debounce` still holds.
          if !debounces { source.finish() }
        } else {
          for _ in 0..<50 { scheduler.runNext() }
        }
      }
      scheduler.run()
      expectEqual(history.values, Array(Set(history.values)).sorted())
      expectEqual(history.values.last, 49)
      expectEqual(history.completion, debounces ? nil : .finished)
      expectEqual(room.encounters, 0)
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
      let history = source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true)
        .history { _, value in
          guard value == 1 else { return }
          source.send(2)
          hasBegun.withLock { $0 = true }
          while !isSecondRunning.withLock({ $0 }) { sched_yield() }
          // The second thread goes on to the gate.
          for _ in 0..<200 { sched_yield() }
          source.send(3)
        }
      source.send(1)
      onThreads(2) { thread in
        if thread == 1 {
          while !hasBegun.withLock({ $0 }) { sched_yield() }
          isSecondRunning.withLock { $0 = true }
        }
        scheduler.runNext()
      }
      scheduler.run()
      expectEqual(history.values, [1, 3])
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
    expectEqual(history.values, Array(Set(history.values)).sorted())
    expectEqual(history.values.last, 19_999)
    expectEqual(room.encounters, 0)
  }
}
