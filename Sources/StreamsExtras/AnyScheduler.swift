import Streams

/// A scheduler of any type that measures time like the given one and has its options.
///
/// ```swift
/// final class SearchModel {
///   // A test can pass a virtual clock, because the type isn't `DispatchQueue`.
///   init(scheduler: AnySchedulerOf<DispatchQueue> = .main) { … }
/// }
/// ```
///
/// Combine doesn't have this type. The name is that of the package combine-schedulers.
public typealias AnySchedulerOf<S> = AnyScheduler<S.SchedulerTimeType, S.SchedulerOptions>
where S: Scheduler

extension Scheduler {
  /// Hides the type of this scheduler, but not how it measures time, and not its options.
  ///
  /// - Returns: A scheduler that behaves like this one.
  @inlinable public func eraseToAnyScheduler() -> AnySchedulerOf<Self> { AnyScheduler(self) }
}

/// A scheduler that hides the type of another scheduler.
///
/// Use it where your code takes a scheduler, so that you can pass a queue in your app and a virtual
/// clock in a test: see ``AnySchedulerOf``. Each call costs one indirect call more than with the
/// hidden scheduler. Wrapping an `AnyScheduler` again adds nothing.
///
/// You can call this from any thread. Operators such as `receive(on:)` do that with every
/// scheduler, so every scheduler has to allow it.
@frozen
public struct AnyScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler, @unchecked Sendable
where SchedulerTimeType: Strideable, SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  @usableFromInline let hidden: HiddenScheduler<SchedulerTimeType, SchedulerOptions>

  /// Makes a scheduler that hides the type of another one.
  ///
  /// - Parameter scheduler: The scheduler that all calls go to.
  @inlinable
  public init<S>(_ scheduler: S)
  where
    S: Scheduler, S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions
  {
    if let erased = scheduler as? Self {
      self = erased
    } else {
      hidden = HiddenScheduler(scheduler)
    }
  }

  /// The current time of the hidden scheduler.
  @inlinable public var now: SchedulerTimeType { hidden.now() }

  /// The smallest tolerance of the hidden scheduler.
  @inlinable public var minimumTolerance: SchedulerTimeType.Stride { hidden.minimumTolerance() }

  /// Runs the action on the hidden scheduler, at the next opportunity.
  @inlinable
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    hidden.schedule(options, action)
  }

  /// Runs the action on the hidden scheduler at a given time.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    hidden.scheduleAfter(date, tolerance, options, action)
  }

  /// Runs the action on the hidden scheduler at a given time and again after each interval.
  ///
  /// - Returns: The hidden scheduler's way to end the repeats.
  @inlinable
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    hidden.scheduleRepeat(date, interval, tolerance, options, action)
  }
}
