import Streams
import TestSupport
import Testing

struct BufferThreadTests {
  typealias Source = ScriptedPublisher<Int, TestError>

  typealias Prefetch = BufferTests.Prefetch

  /// One thread sends, and two request. Each value arrives once and in order. Deliveries don't
  /// overlap.
  @Test(arguments: Prefetch.allCases)
  func requestsFromOtherThreadsMissNothing(_ prefetch: Prefetch) {
    for _ in 0..<50 {
      let count = 300
      let source = Source()
      let room = Room()
      let history = source.buffer(size: count, prefetch: prefetch.strategy, whenFull: .dropNewest)
        .history(demand: .none) { _, _ in room.visit() }
      onThreads(3) { thread in
        if thread == 0 {
          for value in 0..<count { source.send(value) }
          source.finish()
        } else {
          for _ in 0..<count / 2 { history.request(1) }
        }
      }
      expectEqual(history.values, Array(0..<count))
      #expect(history.completion == nil)
      history.request(1)
      expectEqual(history.completion, .finished)
      expectEqual(room.encounters, 0)
    }
  }

  @Test func keepFullRefillsFromBothThreads() {
    for _ in 0..<50 {
      let count = 200
      let history = History<Int, TestError>(demand: .none)
      let source = Source()
      // How many values upstream may still send.
      let allowance = Locked(0)
      let mayEnd = Locked(false)
      source.onRequest = { more in allowance.withLock { $0 += more.max ?? 0 } }
      source.buffer(size: 4, prefetch: .keepFull, whenFull: .customError { "full" })
        .subscribe(history)
      onThreads(2) { thread in
        if thread == 0 {
          var value = 0
          while value < count {
            let isAllowed = allowance.withLock { allowance in
              defer { allowance -= allowance > 0 ? 1 : 0 }
              return allowance > 0
            }
            guard isAllowed else { continue }
            let more = source.send(value).max ?? 0
            value += 1
            allowance.withLock { $0 += more }
          }
          mayEnd.withLock { $0 = true }
        } else {
          repeat { history.request(1) } while !mayEnd.withLock { $0 }
        }
      }
      history.request(.unlimited)
      expectEqual(history.values, Array(0..<count))
      expectEqual(allowance.withLock { $0 }, 4)
    }
  }
}
