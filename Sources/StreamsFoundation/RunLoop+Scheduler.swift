import Dispatch
import Foundation
import Streams

/// Runs actions as blocks of the run loop, in its default mode.
///
/// Source of the rules: Foundation's conformance on Apple's systems.
extension RunLoop: Scheduler {
  /// The options of this scheduler: it has none.
  public struct SchedulerOptions: Sendable {
    private init() {}
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { .present }

  /// Runs the action as a block of this loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if let backend = SchedulingScope.backend {
      guard self === RunLoop.main else { return refuse(in: backend) }
      return backend.send(QueuedAction(to: .mainRunLoop, action))
    }
    // Passed once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    perform { action() }
    wake()
  }

  /// Runs the action as a block of this loop at a moment; tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let backend = SchedulingScope.backend {
      guard self === RunLoop.main else { return refuse(in: backend) }
      return backend.schedule(after: date.nanosecondsOfWorld, for: .mainRunLoop) {
        backend.send(QueuedAction(to: .mainRunLoop, action))
      }
    }
    // Passed once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }, forMode: .default)
  }

  /// Runs the action as a block of this loop at a moment and after each interval.
  ///
  /// - Returns: Keep this: cancelling or releasing it ends the repeats.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, in: .default, action)
  }

  /// Runs the action on this loop in a mode, at a moment and after each interval.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, in mode: Mode, _ action: @escaping () -> Void
  ) -> any Cancellable {
    if let backend = SchedulingScope.backend {
      return schedule(after: date, interval: interval, in: mode, of: backend, action)
    }
    let action = RevocableAction(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
      action.run()
    }
    // Foundation on Linux ignores the tolerance.
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: mode)
    return AnyCancellable {
      timer.invalidate()
      action.revoke()
    }
  }

  private func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, in mode: Mode,
    of backend: any SchedulerBackend, _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard self === RunLoop.main else {
      refuse(in: backend)
      return Subscriptions.empty
    }
    guard mode == .default || mode == .common else {
      backend.refuse(
        "a world runs the run loop only in its default mode, so a timer in the mode "
          + "\(mode.rawValue) would never fire: use .default or .common")
      return Subscriptions.empty
    }
    return backend.schedule(
      after: date.nanosecondsOfWorld, interval: interval.timeInterval.nanoseconds,
      for: .mainRunLoop
    ) {
      backend.send(QueuedAction(to: .mainRunLoop, action))
    }
  }

  private func refuse(in backend: any SchedulerBackend) {
    backend.refuse(
      "a world runs only one run loop, `RunLoop.main`: schedule there, or on a dispatch queue")
  }

  /// Wakes the loop, so that it runs the added block.
  ///
  /// On Linux a block from another thread doesn't wake a sleeping loop. A timer does, through the
  /// timer descriptor that the loop sleeps on. This timer is due at once and does nothing.
  private func wake() {
    if self === RunLoop.main, Thread.isMainThread { return }
    add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
  }
}
