import Streams
import VirtualTime

/// A virtual clock that measures time like another scheduler.
struct ClockScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler
where
  SchedulerTimeType: Strideable & VirtualTimeConvertible,
  SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
{
  let clock: VirtualTimeScheduler
  var now: SchedulerTimeType { SchedulerTimeType(virtualTime: clock.now) }
  var minimumTolerance: SchedulerTimeType.Stride { .zero }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    clock.schedule(action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    clock.schedule(after: date.virtualTime, tolerance: interval(tolerance), action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    clock.schedule(
      after: date.virtualTime, interval: self.interval(interval),
      tolerance: self.interval(tolerance), action)
  }

  /// Measured from the clock's start, where floating-point dates are most exact.
  private func interval(_ stride: SchedulerTimeType.Stride) -> VirtualTime.Interval {
    let end = SchedulerTimeType(virtualTime: .zero).advanced(by: stride)
    return VirtualTime.zero.distance(to: end.virtualTime)
  }
}
