import Dispatch
import Streams
import Testing
import VirtualTime

@testable import ScenarioKit

@Suite struct PaceTests {
  /// A wall clock that advances by a millisecond each time it's read.
  final class CountingClock: Sendable {
    let count = Locked<UInt64>(0)
    var clock: WallClock {
      WallClock {
        self.count.withLock {
          $0 += 1; return $0 * 1_000_000
        }
      }
    }
  }

  @Test func waitsUntilTheWallClockShowsTheTime() {
    let counting = CountingClock()
    let pace = Pace(counting.clock) { false }
    let before = counting.count.withLock { $0 }
    pace.wait(until: .milliseconds(9))
    #expect(counting.count.withLock { $0 } - before >= 9)
  }

  @Test func doesNotWaitForATimeInThePast() {
    let counting = CountingClock()
    let pace = Pace(counting.clock) {
      Issue.record("gave a turn")
      return false
    }
    pace.wait(until: .milliseconds(1))
    #expect(counting.count.withLock { $0 } == 2)
  }

  @Test func givesTheMainThreadATurnAfterEachWait() {
    let turns = Locked(0)
    let pace = Pace(CountingClock().clock) {
      turns.withLock { $0 += 1 }
      return false
    }
    pace.wait(until: .milliseconds(5))
    #expect(turns.withLock { $0 } > 0)
  }

  @Test func aWaitIsNeitherNegativeNorLongerThanItsLimit() {
    let stopped = WallClock { 5 }
    #expect(
      stopped.interval(until: .milliseconds(3), limit: .milliseconds(10)) == .nanoseconds(3_000_000)
    )
    #expect(
      stopped.interval(until: .milliseconds(30), limit: .milliseconds(10))
        == .nanoseconds(10_000_000))
    #expect(
      stopped.interval(until: .milliseconds(-3), limit: .milliseconds(10)) == .nanoseconds(0))
    #expect(stopped.interval(until: .max, limit: .milliseconds(10)) == .nanoseconds(10_000_000))
  }
}
