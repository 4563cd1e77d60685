import TestSupport
import Testing

@testable import Streams

/// Tests the demand of a source, and how it lets threads take turns at emitting.
@Suite struct DemandCreditTests {
  /// A credit at a fixed address, because it's in an object.
  private final class Credit: Sendable {
    private let credit: DemandCredit

    init(emitting: Bool = false) { credit = DemandCredit(emitting: emitting) }

    var demand: Subscribers.Demand { credit.demand }
    var isEnded: Bool { credit.isEnded }
    var isUnlimited: Bool { credit.isUnlimited }
    @discardableResult func add(_ demand: Subscribers.Demand) -> Bool { credit.add(demand) }
    func take() -> Bool { credit.take() }
    func settle(_ delivered: Int) -> Int { credit.settle(delivered) }
    func end() -> Bool { credit.end() }
    func endIdle() -> Bool { credit.endIdle() }
  }

  private let credit = Credit()

  // MARK: One by one

  @Test func demandIsTakenOneByOne() {
    expectEqual(credit.take(), false)
    credit.add(.max(2))
    credit.add(.none)
    expectEqual(credit.demand, .max(2))
    expectEqual([credit.take(), credit.take(), credit.take()], [true, true, false])
    expectEqual(credit.demand, .none)
  }

  @Test func unlimitedDemandIsNeverUsedUp() {
    expectEqual(credit.isUnlimited, false)
    expectEqual([credit.add(.unlimited), credit.add(.max(3))], [true, false])
    expectEqual(credit.take(), true)
    expectEqual(credit.demand, .unlimited)
    expectEqual(credit.settle(1000), DemandCredit.unlimited)
    expectEqual(credit.isUnlimited, true)
  }

  @Test(arguments: [[Int.max], [.max - 1, 5], [.max, .max]])
  func aCountIsNeverUnlimited(requests: [Int]) {
    for request in requests { credit.add(.max(request)) }
    expectEqual(credit.isUnlimited, false)
    expectEqual(credit.demand, .max(.max - 1))
    expectEqual(credit.settle(1), .max - 2)
  }

  @Test func endsOnlyOnce() {
    credit.add(.max(1))
    expectEqual([credit.end(), credit.end()], [true, false])
    credit.add(.unlimited)
    expectEqual([credit.isEnded, credit.take()], [true, false])
    expectEqual(credit.demand, .none)
  }

  // MARK: In turns

  @Test func theCallThatAddsDemandToZeroEmits() {
    expectEqual(
      [credit.add(.none), credit.add(.max(2)), credit.add(.max(3))], [false, true, false])
    expectEqual([credit.settle(0), credit.settle(4), credit.settle(1)], [5, 1, 0])
    expectEqual(credit.add(.max(1)), true)
  }

  @Test func theRightToEmitMayBeGivenFromTheStart() {
    let credit = Credit(emitting: true)
    expectEqual(credit.add(.max(2)), false)
    expectEqual(credit.settle(1), 2)
  }

  /// No thread is emitting, so the call that ends it cleans up.
  @Test func anEndIsFinal() {
    expectEqual([credit.isEnded, credit.endIdle(), credit.isEnded], [false, true, true])
    expectEqual(
      [credit.add(.max(1)), credit.add(.unlimited), credit.isUnlimited], [false, false, false])
    expectEqual([credit.settle(1) < 0, credit.end(), credit.endIdle()], [true, false, false])
  }

  @Test func anEndLeavesTheCleanUpToTheEmittingThread() {
    expectEqual(
      [credit.add(.max(2)), credit.endIdle(), credit.settle(1) < 0], [true, false, true])
  }

  // MARK: Threads

  @Test func oneThreadEmitsAtATimeAndNothingIsLost() {
    // Plain variables, because the right to emit guards them.
    final class Source: @unchecked Sendable {
      let credit = Credit()
      var delivered = 0

      func request() {
        guard credit.add(.max(1)) else { return }
        var allowance = credit.settle(0)
        while allowance > 0 {
          delivered += allowance
          allowance = credit.settle(allowance)
        }
      }
    }
    let source = Source()
    onThreads(4) { _ in for _ in 0..<5000 { source.request() } }
    expectEqual(source.delivered, 20_000)
  }

  @Test func oneThreadCleansUp() {
    for _ in 0..<200 {
      let cleanups = Locked(0)
      let credit = Credit()
      onThreads(3) { thread in
        if thread == 0 {
          if credit.endIdle() { cleanups.withLock { $0 += 1 } }
        } else if credit.add(.max(2)) {
          var allowance = credit.settle(0)
          while allowance > 0 { allowance = credit.settle(1) }
          if allowance < 0 { cleanups.withLock { $0 += 1 } }
        }
      }
      expectEqual(cleanups.withLock { $0 }, 1)
    }
  }
}
