import Dispatch
import Streams
import Testing
import VirtualTime

@testable import ScenarioKit

@Suite struct PaceTests {
  /// A clock outside that goes on by a millisecond whenever somebody looks.
  final class Looks: Sendable {
    let count = Locked<UInt64>(0)
    var clock: WallClock {
      WallClock {
        self.count.withLock {
          $0 += 1; return $0 * 1_000_000
        }
      }
    }
  }

  @Test func waitsUntilTheClockOutsideShowsTheTime() {
    let looks = Looks()
    let pace = Pace(looks.clock) { false }
    let before = looks.count.withLock { $0 }
    pace.wait(until: .milliseconds(9))
    #expect(looks.count.withLock { $0 } - before >= 9)
  }

  @Test func doesNotWaitForWhatHasPassed() {
    let looks = Looks()
    let pace = Pace(looks.clock) {
      Issue.record("took a turn")
      return false
    }
    pace.wait(until: .milliseconds(1))
    #expect(looks.count.withLock { $0 } == 2)
  }

  @Test func givesTheMainThreadATurnAfterEachWait() {
    let turns = Locked(0)
    let pace = Pace(Looks().clock) {
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
