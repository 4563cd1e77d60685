extension Publisher {
  /// Delivers values and the completion after a delay, on a scheduler.
  ///
  ///     clicks.delay(for: .milliseconds(300), scheduler: clock)
  ///
  /// Each value is delayed by the same interval, and so is the completion, even a failure. The
  /// subscription and requests aren't delayed. On a scheduler with several threads the completion
  /// still comes last. Follows Combine's `delay(for:tolerance:scheduler:options:)`.
  ///
  /// - Parameters:
  ///   - interval: The delay, in the scheduler's time.
  ///   - tolerance: How much later a delivery can be. If `nil`, the scheduler's minimum tolerance.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: The options to pass to the scheduler with each delivery.
  /// - Returns: A publisher of the same values, with the same demand.
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
  /// A publisher that delivers after a delay; see
  /// ``Publisher/delay(for:tolerance:scheduler:options:)``.
  public struct Delay<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// The delay.
    public let interval: Context.SchedulerTimeType.Stride

    /// How much later than the delay a delivery can be.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers.
    public let scheduler: Context

    /// The options to pass to the scheduler with each delivery.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that ``Publisher/delay(for:tolerance:scheduler:options:)`` returns.
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

    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ScheduledDelivery(
          name: "Delay", hop: DelayedHop(self), downstream: subscriber))
    }
  }
}

extension Publishers.Delay: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable,
  Context.SchedulerTimeType.Stride: Sendable
{}

/// A hop that delivers after an interval.
struct DelayedHop<Context: Scheduler>: Hop {
  // Not the publisher itself, because a subscription must not keep its upstream publisher alive.
  let interval: Context.SchedulerTimeType.Stride
  let tolerance: Context.SchedulerTimeType.Stride
  let scheduler: Context
  let options: Context.SchedulerOptions?

  init<Upstream>(_ delay: Publishers.Delay<Upstream, Context>) {
    interval = delay.interval
    tolerance = delay.tolerance
    scheduler = delay.scheduler
    options = delay.options
  }

  // region: hop
  func schedule(_ action: @escaping () -> Void) {
    scheduler.schedule(
      after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
  }
  // endregion
}
