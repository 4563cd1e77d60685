extension Publisher {
  /// Delivers values and the completion a while later, on a scheduler.
  ///
  ///     clicks.delay(for: .milliseconds(300), scheduler: clock)
  ///
  /// All of them are delayed by the same span, a failure too. The subscription and requests are not.
  /// On a scheduler of several threads the completion still comes last. Source of the rules:
  /// Combine's `delay(for:tolerance:scheduler:options:)`.
  ///
  /// - Parameters:
  ///   - interval: How much later, in the scheduler's time.
  ///   - tolerance: How much later still it may be; if `nil`, the scheduler's least.
  ///   - scheduler: Whose time it is, and where to deliver.
  ///   - options: Handed to the scheduler with each delivery.
  /// - Returns: A publisher of the same values, with the same demand.
  @inlinable
  public func delay<S>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> where S: Scheduler {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers a while later; see
  /// ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    public let upstream: Upstream

    /// How much later.
    public let interval: Context.SchedulerTimeType.Stride

    /// How much later still it may be.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// The scheduler that delivers them.
    public let scheduler: Context

    /// The options of each delivery.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that ``Publisher/delay(for:tolerance:scheduler:options:)`` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    // region: publisher
    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      upstream.attach(
        ScheduledDelivery(
          name: "Delay", route: DelayedHop(self), downstream: subscriber))
    }
    // endregion
  }
}

/// A hop to the moment that lies a span after the present one.
@usableFromInline
struct DelayedHop<Context: Scheduler>: Hop {
  // Not the publisher itself, because a subscription must not keep its upstream's publisher.
  @usableFromInline
  let interval: Context.SchedulerTimeType.Stride

  @usableFromInline
  let tolerance: Context.SchedulerTimeType.Stride

  @usableFromInline
  let scheduler: Context

  @usableFromInline
  let options: Context.SchedulerOptions?

  @inlinable
  init<Upstream>(_ delay: Publishers.Delay<Upstream, Context>) {
    interval = delay.interval
    tolerance = delay.tolerance
    scheduler = delay.scheduler
    options = delay.options
  }

  // region: hop
  @inlinable
  func schedule(_ action: @escaping () -> Void) {
    scheduler.schedule(
      after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
  }
  // endregion
}
