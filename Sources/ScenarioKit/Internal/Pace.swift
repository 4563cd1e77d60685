import Dispatch
import StubNetwork
import VirtualTime

/// Runs a world on the wall clock.
///
/// The virtual clock still decides which work is due, and in which order. It just runs no faster than
/// the wall clock. So scripted work has the same order as in virtual time, however slow the machine is.
struct Pace {
  /// The longest time that a part may take with a server.
  static let deadline = VirtualTime.seconds(60)

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

  /// Runs callbacks from a server and work on the clock, until neither is left.
  func run(
    _ network: LiveNetwork, on clock: VirtualTimeScheduler, onFailure: (String) -> Void
  ) {
    while true {
      let now = wallClock.now
      // Callbacks go before work that is due, because they may have waited for a while.
      let justBeforeDue = clock.nextDue.map { $0.advanced(by: .milliseconds(-1)) } ?? now
      clock.advance(to: max(clock.now, min(now, justBeforeDue)))
      settle(network)
      while let due = clock.nextDue, due <= now {
        clock.step()
        settle(network)
      }
      clock.advance(to: max(clock.now, now))
      let open = network.openRequests
      let next = clock.nextDue
      if open.isEmpty, next == nil { return }
      if now >= Self.deadline {
        return onFailure(
          "it was stopped because it was still running after \(Self.deadline); "
            + (open.isEmpty
              ? "no request is open" : "open requests: \(open.joined(separator: ", "))"))
      }
      network.wait(
        atMost: wallClock.interval(until: next ?? .max, limit: Self.longestWait))
    }
  }

  /// Runs callbacks that have arrived, one at a time, each with all the work that follows from it, as
  /// in virtual time.
  func settle(_ network: LiveNetwork) {
    repeat { while giveTurn() {} } while network.runCallback()
  }
}
