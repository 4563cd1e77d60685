extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  ///     let results = numbers.map(expensive).receive(on: mainQueue)
  ///     // `expensive` runs where `numbers` delivers, what follows runs on the main queue.
  ///
  /// Each value is scheduled on its own, and the completion behind them. The subscription and requests
  /// pass at once, on the thread that makes them. If a subscriber returns demand for a value, it is
  /// requested after that delivery. A cancellation drops the values that still wait, unless the
  /// completion waits too: then all of them are delivered.
  ///
  /// Deliveries never overlap. A scheduler of several threads, such as a concurrent queue, may change
  /// the order of values, but the completion comes last. A scheduler that drops an action, as an
  /// operation queue does when you cancel its operations, drops that value and the completion behind
  /// it. Source of the rules: Combine's `receive(on:options:)`.
  ///
  /// - Parameters:
  ///   - scheduler: Where to deliver.
  ///   - options: Handed to the scheduler with each delivery.
  /// - Returns: A publisher of the same values, with the same demand.
  @inlinable
  public func receive<S>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> where S: Scheduler {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that delivers on a scheduler; see ``Publisher/receive(on:options:)``.
  public struct ReceiveOn<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher of the values.
    public let upstream: Upstream

    /// The scheduler that delivers them.
    public let scheduler: Context

    /// The options of each delivery.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that ``Publisher/receive(on:options:)`` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      // The compiler knows which one it is, and leaves the other one out.
      if Context.self == ImmediateScheduler.self {
        upstream.attach(ImmediateStage(name: "ReceiveOn", downstream: subscriber))
      } else {
        upstream.attach(
          ScheduledDelivery(
            name: "ReceiveOn", route: PromptHop(scheduler: scheduler, options: options),
            downstream: subscriber))
      }
    }
  }
}

/// A hop to the scheduler's next opportunity.
@usableFromInline
struct PromptHop<Context: Scheduler>: Hop {
  @usableFromInline
  let scheduler: Context

  @usableFromInline
  let options: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable
  func schedule(_ action: @escaping () -> Void) { scheduler.schedule(options: options, action) }
}
