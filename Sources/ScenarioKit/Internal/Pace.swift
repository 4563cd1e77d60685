import Dispatch
import StubNetwork
import VirtualTime

/// How a world goes on by the wall clock.
///
/// It is the virtual clock that says what is due, and in which order; it only goes on no faster
/// than the time outside. So the order of what is scripted is the same as in virtual time, however
/// slow the machine is.
struct Pace {
  /// How long a part may take with a server, from its beginning.
  static let deadline = VirtualTime.seconds(60)

  /// The main thread has to see now and then that the world is well.
  private static let longestWait = VirtualTime.Interval.milliseconds(500)

  private let takeTurn: () -> Bool
  private let wallClock: WallClock

  /// - Parameters:
  ///   - wallClock: The time outside.
  ///   - takeTurn: Gives the main thread a turn, and says whether it may need another one.
  init(_ wallClock: WallClock = WallClock(), takeTurn: @escaping () -> Bool) {
    self.wallClock = wallClock
    self.takeTurn = takeTurn
  }

  /// Waits until the wall clock shows a time.
  func wait(until time: VirtualTime) {
    let never = DispatchSemaphore(value: 0)
    while wallClock.now < time {
      let interval = wallClock.interval(until: time, limit: Self.longestWait)
      _ = never.wait(timeout: .now() + interval)
      _ = takeTurn()
    }
  }

  /// Runs what comes from a server and from the clock, until neither has anything more to come.
  func run(
    _ network: LiveNetwork, on clock: VirtualTimeScheduler, onFailure: (String) -> Void
  ) {
    while true {
      let now = wallClock.now
      // What has come goes before what is due: it may have been there for a while.
      let eve = clock.nextDue.map { $0.advanced(by: .milliseconds(-1)) } ?? now
      clock.advance(to: max(clock.now, min(now, eve)))
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
          "it has not ended after \(Self.deadline) and was given up; "
            + (open.isEmpty ? "no request is open" : "open: \(open.joined(separator: ", "))"))
      }
      network.wait(
        atMost: wallClock.interval(until: next ?? .max, limit: Self.longestWait))
    }
  }

  /// Runs all that follows from what has happened so far, and what has come meanwhile: one thing
  /// at a time, and all that follows from it, as in virtual time.
  func settle(_ network: LiveNetwork) {
    repeat { while takeTurn() {} } while network.runLetter()
  }
}
