import Dispatch
import Foundation
import Streams

/// Runs actions as blocks of the run loop, in its default mode.
///
/// On Linux a block that another thread adds does not wake the loop. The main loop is woken by way
/// of the main queue, which it serves; another loop runs the block when it wakes by itself.
/// Source of the rules: Foundation's conformance on Apple's systems.
extension RunLoop: Scheduler {
  /// A moment of the calendar.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// There is nothing to ask for.
  public typealias SchedulerOptions = DateSchedulerOptions

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The present moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// Runs the action as a block of this loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    // Handed over once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    guard self === RunLoop.main else { return perform { action() } }
    guard MainThreadTurns.noteSend() else {
      perform { action() }
      return DispatchQueue.main.async {}
    }
    // The main queue is not served from within one of its blocks, so that this runs the action and
    // nothing else: on the run loop, and in its place among the blocks of the main queue.
    DispatchQueue.main.async {
      RunLoop.main.perform { action() }
      _ = RunLoop.main.run(mode: .default, before: .distantPast)
    }
  }

  /// Runs the action as a block of this loop at a moment; tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    MainThreadTurns.noteDelay(on: "RunLoop")
    // Handed over once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }, forMode: .default)
    wake()
  }

  /// Runs the action as a block of this loop at a moment and after each interval.
  ///
  /// - Returns: Ends the repetition when it is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    MainThreadTurns.noteDelay(on: "RunLoop")
    // Handed over once, to the one thread that runs the loop.
    nonisolated(unsafe) let action = action
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
      action()
    }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
    wake()
    return AnyCancellable(timer.invalidate)
  }

  private func wake() {
    if self === RunLoop.main { DispatchQueue.main.async {} }
  }
}
