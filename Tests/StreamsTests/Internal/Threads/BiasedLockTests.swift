import TestSupport
import Testing

@testable import Streams

struct BiasedLockTests {
  /// A plain variable, because the lock guards it.
  final class Counter: @unchecked Sendable {
    private let lock = BiasedLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func increment() { lock.withLock { count += 1 } }
  }

  @Test func oneThreadHoldsItAtATime() {
    let counter = Counter()
    onThreads(4) { _ in
      for _ in 0..<5000 { counter.increment() }
    }
    #expect(counter.value == 20_000)
  }

  @Test func aThreadThatHasUsedItOftenSharesItWithOthers() {
    _ = ProcessBarrier.isAvailable
    for _ in 0..<20 {
      let counter = Counter()
      for _ in 0..<5000 { counter.increment() }
      onThreads(3) { _ in
        for _ in 0..<100 { counter.increment() }
      }
      counter.increment()
      #expect(counter.value == 5301)
    }
  }
}
