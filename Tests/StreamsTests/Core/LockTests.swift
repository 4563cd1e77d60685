import TestSupport
import Testing

@testable import Streams

@Suite struct LockTests {
  /// A number that a lock guards. The lock is at a fixed address, because it's in an object.
  // `@unchecked`: the number is touched under the lock only.
  final class Counter: @unchecked Sendable {
    private let lock = Lock()
    private var number = 0

    var value: Int { lock.withLock { number } }

    /// Adds one. A second thread that comes in between would lose a count.
    func add() {
      lock.withLock {
        let old = number
        for _ in 0..<3 { LockTests.doNothing() }
        number = old + 1
      }
    }

    /// Holds the lock until another thread waits for it.
    func holdUntilAwaited(_ isHeld: () -> Void) {
      lock.withLock {
        isHeld()
        while lock.state.load(ordering: .relaxed) != .awaited {}
      }
    }
  }

  let counter = Counter()

  @inline(never)
  static func doNothing() {}

  @Test func givesBackTheResult() {
    counter.add()
    expectEqual(counter.value, 1)
  }

  @Test func oneThreadIsInsideAtATime() {
    onThreads(4) { [counter] _ in for _ in 0..<5000 { counter.add() } }
    expectEqual(counter.value, 20_000)
  }

  @Test(arguments: [1, 3]) func waitingThreadsAreWoken(count: Int) {
    let isHeld = Locked(false)
    onThreads(count + 1) { [counter] thread in
      if thread == 0 {
        counter.holdUntilAwaited { isHeld.withLock { $0 = true } }
      } else {
        while !isHeld.withLock({ $0 }) {}
        counter.add()
      }
    }
    expectEqual(counter.value, count)
  }

  @Test func aResultThatIsNotUsedIsReleasedAfterUnlocking() {
    let lock = HeldLock()
    _ = lock.lock.withLock { Token { [lock] in #expect(!lock.isHeld) } }
    #expect(!lock.isHeld)
  }

  final class HeldLock: Sendable {
    let lock = Lock()
    var isHeld: Bool { lock.isHeld }
  }
}
