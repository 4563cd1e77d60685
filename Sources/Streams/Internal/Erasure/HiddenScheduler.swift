/// A scheduler without its type: unlike `Scheduler`, it names both associated types.
@usableFromInline
protocol HiddenScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler {
  associatedtype SchedulerTimeType
  associatedtype SchedulerOptions
}

/// A scheduler whose type is about to be hidden.
@usableFromInline
struct HidingScheduler<S>: HiddenScheduler where S: Scheduler {
  @usableFromInline typealias SchedulerTimeType = S.SchedulerTimeType
  @usableFromInline typealias SchedulerOptions = S.SchedulerOptions

  @usableFromInline
  let scheduler: S

  @inlinable
  init(_ scheduler: S) { self.scheduler = scheduler }

  @inlinable
  var now: S.SchedulerTimeType { scheduler.now }

  @inlinable
  var minimumTolerance: S.SchedulerTimeType.Stride { scheduler.minimumTolerance }

  @inlinable
  func schedule(options: S.SchedulerOptions?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: options, action)
  }

  @inlinable
  func schedule(
    after date: S.SchedulerTimeType, tolerance: S.SchedulerTimeType.Stride,
    options: S.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  @inlinable
  func schedule(
    after date: S.SchedulerTimeType, interval: S.SchedulerTimeType.Stride,
    tolerance: S.SchedulerTimeType.Stride, options: S.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    scheduler.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
