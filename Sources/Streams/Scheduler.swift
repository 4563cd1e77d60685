/// A type that decides when and where to run an action.
///
/// Follows Combine's `Scheduler`.
public protocol Scheduler<SchedulerTimeType> {
  /// A point in time, as this scheduler measures it.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// The options that you can pass to the scheduler, or `Never` if it has none.
  associatedtype SchedulerOptions

  /// The scheduler's current time.
  var now: SchedulerTimeType { get }

  /// The smallest tolerance that this scheduler can keep.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs the action at the next opportunity.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action at a given time, or as soon after it as the tolerance allows.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Runs the action at a given time and again after each interval, until you cancel it.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs the action at the next opportunity, without options.
  @inlinable
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs the action at a given time, without options and with the smallest tolerance.
  @inlinable
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs the action at a given time, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs the action at a given time and again after each interval, without options and with the
  /// smallest tolerance.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs the action at a given time and again after each interval, without options.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A time interval that you can create from the usual units.
public protocol SchedulerTimeIntervalConvertible {
  /// Returns an interval of whole seconds.
  static func seconds(_ s: Int) -> Self

  /// Returns an interval of seconds and fractions of a second.
  static func seconds(_ s: Double) -> Self

  /// Returns an interval of milliseconds.
  static func milliseconds(_ ms: Int) -> Self

  /// Returns an interval of microseconds.
  static func microseconds(_ us: Int) -> Self

  /// Returns an interval of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}
