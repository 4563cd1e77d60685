import Dispatch
import StubNetwork
import VirtualTime

/// Runs a world on the wall clock.
///
/// The virtual clock still decides which work is due, and in which order. It just runs no faster
/// than the wall clock. So scripted work has the same order as in virtual time, even on a slow
/// machine.
struct Pace {
  /// The longest wait between two turns. Without turns, the main thread reports a standstill.
  private static let longestWait = VirtualTime.Interval.milliseconds(500)
  private let giveTurn: () -> Bool
  private let wallClock: WallClock

  /// - Parameters:
  ///   - wallClock: The wall clock.
  ///   - giveTurn: Gives the main thread a turn, and returns whether it may need another one.
  init(_ wallClock: WallClock = WallClock(), giveTurn: @escaping () -> Bool) {
    self.wallClock = wallClock
    self.giveTurn = giveTurn
  }

  /// Waits until the wall clock shows a time.
  func wait(until time: VirtualTime) {
    let never = DispatchSemaphore(value: 0)
    while wallClock.now < time {
      let interval = wallClock.interval(until: time, limit: Self.longestWait)
      _ = never.wait(timeout: .now() + interval)
      _ = giveTurn()
    }
  }

  /// Runs callbacks from a server and work on the clock, until neither is left or the time limit is
  /// reached.
  ///
  /// - Returns: Whether neither is left.
  func run(_ network: LiveNetwork, on clock: VirtualTimeScheduler, until limit: TimeLimit) -> Bool {
    while true {
      let now = wallClock.now
      // Callbacks go before work that is due, because they may have waited for a while.
      let justBeforeDue = clock.nextDue.map { $0.advanced(by: .milliseconds(-1)) } ?? now
      clock.advance(to: max(clock.now, min(now, justBeforeDue)))
      guard settle(network, until: limit) else { return false }
      while let due = clock.nextDue, due <= now {
        clock.step()
        guard settle(network, until: limit) else { return false }
      }
      clock.advance(to: max(clock.now, now))
      let next = clock.nextDue
      if network.openRequests.isEmpty, next == nil { return true }
      if limit.isReached { return false }
      network.wait(
        atMost: wallClock.interval(
          until: next ?? .max, limit: min(Self.longestWait, limit.remaining)))
    }
  }

  /// Runs callbacks that have arrived, one at a time, each with all the work that follows from it,
  /// as in virtual time.
  ///
  /// Callbacks or blocks of the main queue may arrive forever, so this looks at the limit too.
  ///
  /// - Returns: Whether none is left. If not, the time limit was reached.
  @discardableResult
  func settle(_ network: LiveNetwork, until limit: TimeLimit) -> Bool {
    repeat {
      while giveTurn() {
        if limit.isReached { return false }
      }
      if limit.isReached { return network.openRequests.isEmpty && !network.hasCallbacks }
    } while network.runCallback()
    return true
  }
}
