import Streams

/// The calls of a scheduler without its type.
///
/// They're closures, made where the type is known. So each call is one indirect call, and the rest
/// is compiled for the type. A protocol with a generic type behind it would need two.
@usableFromInline
final class HiddenScheduler<SchedulerTimeType, SchedulerOptions>
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  @usableFromInline typealias Stride = SchedulerTimeType.Stride
  @usableFromInline typealias Action = () -> Void

  /// The scheduler, for tests.
  @usableFromInline let scheduler: Any

  @usableFromInline let now: () -> SchedulerTimeType
  @usableFromInline let minimumTolerance: () -> Stride
  @usableFromInline let schedule: (SchedulerOptions?, @escaping Action) -> Void
  @usableFromInline
  let scheduleAfter: (SchedulerTimeType, Stride, SchedulerOptions?, @escaping Action) -> Void
  @usableFromInline let scheduleRepeat:
    (SchedulerTimeType, Stride, Stride, SchedulerOptions?, @escaping Action) -> any Cancellable

  @inlinable
  init<S>(_ scheduler: S)
  where
    S: Scheduler, S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions
  {
    self.scheduler = scheduler
    now = { scheduler.now }
    minimumTolerance = { scheduler.minimumTolerance }
    schedule = { scheduler.schedule(options: $0, $1) }
    scheduleAfter = { scheduler.schedule(after: $0, tolerance: $1, options: $2, $3) }
    scheduleRepeat = {
      scheduler.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4)
    }
  }
}
