import Dispatch
import Foundation
import Streams

extension World {
  /// Runs tasks and moves time while the main thread waits in its run loop.
  ///
  /// That's how XCTest waits for an asynchronous test or `setUp`. It doesn't tell when one of them
  /// has ended. So this does one step at a time: what's ready now, or else the next work that's
  /// due.
  ///
  /// - Parameter onStandstill: Called on the main thread if the test has waited for seconds, and
  ///   nothing in the world can go on.
  package func moveTimeInRunLoop(onStandstill: @escaping @Sendable () -> Void) {
    guard hasTasksInside else { return }
    let driver = RunLoopDriver(self, onStandstill)
    backend.tasks.onArrival = { driver.ask() }
  }
}

/// Moves the time of a world on the main thread, whenever that waits in its run loop.
final class RunLoopDriver: Sendable {
  private static let moving = Locked(false)

  /// Whether the main thread moves time in its run loop at the moment.
  static var isMoving: Bool { moving.withLock { $0 } }

  private struct State {
    var isAsked = false
    var isMoving = false
    /// How many steps were asked for.
    var count = 0
  }

  /// How long a test may wait while nothing goes on.
  private static let patience = DispatchTimeInterval.seconds(5)

  private weak let world: World?
  private let onStandstill: @Sendable () -> Void
  private let state = Locked(State())

  init(_ world: World, _ onStandstill: @escaping @Sendable () -> Void) {
    (self.world, self.onStandstill) = (world, onStandstill)
  }

  /// Asks for a step, on any thread.
  func ask() {
    let isFirst = state.withLock { state in
      defer { state.isAsked = true }
      state.count += 1
      return !state.isAsked && !state.isMoving
    }
    if isFirst { send() }
  }

  private func send() {
    // While a block of the main queue runs, no other one can. So this isn't one, but it needs one
    // to wake the run loop.
    DispatchQueue.main.async { RunLoop.main.perform { self.step() } }
  }

  private func step() {
    guard let world, !world.backend.hasEnded else { return }
    let mayBegin = state.withLock { state in
      defer { (state.isAsked, state.isMoving) = (false, true) }
      return !state.isMoving
    }
    guard mayBegin else { return }
    Self.moving.withLock { $0 = true }
    defer { Self.moving.withLock { $0 = false } }
    world.enter {
      if world.backend.hasWaitingActions || !world.network.isQuiet {
        world.clock.settle()
      } else if world.clock.nextDue != nil {
        world.clock.step()
      }
    }
    let (isAsked, count) = state.withLock { state in
      state.isMoving = false
      if world.standsStill { state.isAsked = true }
      return (state.isAsked, state.count)
    }
    if isAsked { send() } else { watch(count) }
  }

  /// Reports a test that still waits later, if nothing was asked for meanwhile.
  private func watch(_ count: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      // Runs only if the main thread waits.
      DispatchQueue.main.async {
        guard let self, let world = self.world, !world.backend.hasEnded,
          self.state.withLock({ $0.count == count && !$0.isMoving })
        else { return }
        self.onStandstill()
      }
    }
  }
}
