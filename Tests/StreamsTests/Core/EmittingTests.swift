import TestSupport
import Testing

@testable import Streams

/// Tests how the `DemandCredit` of a source lets threads take turns at emitting.
@Suite struct EmittingTests {
  /// A credit in a class, because `#expect` needs values that can be copied.
  final class Pending: Sendable {
    let demand: DemandCredit

    init(emitting: Bool = false) { demand = DemandCredit(emitting: emitting) }

    var isEnded: Bool { demand.isEnded }
    var isUnlimited: Bool { demand.isUnlimited }
    func add(_ more: Subscribers.Demand) -> Bool { demand.add(more) }
    func settle(_ delivered: Int) -> Int { demand.settle(delivered) }
    func end() -> Bool { demand.end() }
    func endIdle() -> Bool { demand.endIdle() }
  }

  @Test func theCallThatAddsDemandToZeroEmits() {
    let pending = Pending()
    #expect(!pending.add(.none))
    #expect(pending.add(.max(2)))
    #expect(!pending.add(.max(3)))
    #expect(pending.settle(0) == 5)
    #expect(pending.settle(4) == 1)
    #expect(pending.settle(1) == 0)
    #expect(pending.add(.max(1)))
  }

  @Test func theRightToEmitMayBeGivenFromTheStart() {
    let pending = Pending(emitting: true)
    #expect(!pending.add(.max(2)))
    #expect(pending.settle(1) == 2)
  }

  @Test func unlimitedDemandIsNeverUsedUp() {
    let pending = Pending()
    #expect(!pending.isUnlimited)
    #expect(pending.add(.unlimited))
    #expect(pending.isUnlimited)
    #expect(!pending.add(.max(1)))
    #expect(pending.settle(1000) == DemandCredit.unlimited)
  }

  @Test func aSumOfCountsIsNeverUnlimited() {
    let pending = Pending()
    #expect(pending.add(.max(.max - 1)))
    #expect(!pending.add(.max(.max - 1)))
    #expect(!pending.isUnlimited)
    #expect(pending.settle(1) == .max - 2)
  }

  @Test func anEndIsFinal() {
    let pending = Pending()
    #expect(!pending.isEnded)
    // No thread is emitting, so the call that ends it cleans up.
    #expect(pending.endIdle())
    #expect(pending.isEnded)
    #expect(!pending.add(.max(1)))
    #expect(!pending.add(.unlimited))
    #expect(!pending.isUnlimited)
    #expect(pending.settle(1) < 0)
    #expect(!pending.end())
    #expect(!pending.endIdle())
  }

  @Test func anEndLeavesTheCleanUpToTheEmittingThread() {
    let pending = Pending()
    #expect(pending.add(.max(2)))
    #expect(!pending.endIdle())
    #expect(pending.settle(1) < 0)
  }

  @Test func oneThreadEmitsAtATimeAndNothingIsLost() {
    // Plain variables, because the right to emit guards them.
    final class Source: @unchecked Sendable {
      let pending = Pending()
      var delivered = 0

      func request() {
        guard pending.add(.max(1)) else { return }
        var allowance = pending.settle(0)
        while allowance > 0 {
          delivered += allowance
          allowance = pending.settle(allowance)
        }
      }
    }
    let source = Source()
    onThreads(4) { _ in for _ in 0..<5000 { source.request() } }
    #expect(source.delivered == 20_000)
  }

  @Test func oneThreadCleansUp() {
    for _ in 0..<200 {
      let cleanups = Locked(0)
      let pending = Pending()
      onThreads(3) { thread in
        if thread == 0 {
          if pending.endIdle() { cleanups.withLock { $0 += 1 } }
        } else if pending.add(.max(2)) {
          var allowance = pending.settle(0)
          while allowance > 0 { allowance = pending.settle(1) }
          if allowance < 0 { cleanups.withLock { $0 += 1 } }
        }
      }
      #expect(cleanups.withLock { $0 } == 1)
    }
  }
}
