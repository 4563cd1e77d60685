import Dispatch
import Foundation
import Streams

/// Runs actions as blocks of the run loop, in its default mode.
///
/// Source of the rules: Foundation's conformance on Apple's systems.
extension RunLoop: Scheduler {
  /// There is nothing to ask for.
  public struct SchedulerOptions: Sendable {
    private init() {}
  }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { .present }

  /// Runs the action as a block of this loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Handed over once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    if MainThreadTurns.areOn, self === RunLoop.main {
      // The main queue is not served from within one of its blocks, so that this runs the action
      // and nothing else: on the run loop, and in its place among the blocks of the main queue.
      MainThreadTurns.send {
        RunLoop.main.perform { action() }
        _ = RunLoop.main.run(mode: .default, before: .distantPast)
      }
    } else {
      if MainThreadTurns.areOn { refuse() }
      perform { action() }
      wake()
    }
  }

  /// Runs the action as a block of this loop at a moment; tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let clock = MainThreadTurns.clock {
      return clock.schedule(date.nanosecondsOfWorld) { self.schedule(options: options, action) }
    }
    // Handed over once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }, forMode: .default)
  }

  /// Runs the action as a block of this loop at a moment and after each interval.
  ///
  /// - Returns: Ends the repetition when it is cancelled or released.
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
    if let clock = MainThreadTurns.clock {
      return repeatInWorld(after: date, interval: interval, in: mode, on: clock, action)
    }
    let action = RevocableAction(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
      action.run()
    }
    // On Linux, Foundation forgets it.
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: mode)
    return AnyCancellable {
      timer.invalidate()
      action.revoke()
    }
  }

  private func repeatInWorld(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, in mode: Mode,
    on clock: MainThreadTurns.Clock, _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard self === RunLoop.main else {
      refuse()
      return Subscriptions.empty
    }
    guard mode == .default || mode == .common else {
      MainThreadTurns.refuse(
        "a world runs no mode of the run loop but the default one: a timer in the mode "
          + "\(mode.rawValue) would wait for ever")
      return Subscriptions.empty
    }
    return clock.scheduleRepeat(date.nanosecondsOfWorld, interval.timeInterval.nanoseconds) {
      self.schedule(options: nil, action)
    }
  }

  private func refuse() {
    MainThreadTurns.refuse(
      "a world serves no run loop but RunLoop.main: schedule there, or on a dispatch queue")
  }

  /// Wakes the loop, so that it runs what was added.
  ///
  /// On Linux a block that another thread adds does not wake a loop that sleeps, but a timer does,
  /// by way of the timer descriptor that the loop sleeps on; this one is due and does nothing.
  private func wake() {
    if self === RunLoop.main, Thread.isMainThread { return }
    add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
  }
}
