extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  ///     let results = numbers.map(expensive).receive(on: mainQueue)
  ///     // `expensive` runs where `numbers` delivers, what follows runs on the main queue.
  ///
  /// Each value is scheduled on its own, and the completion behind them. The subscription is handed
  /// on at once, and requests go up at once, on the thread that makes them; what a subscriber
  /// returns for a value is requested after that delivery. A cancellation drops what is still
  /// scheduled, unless the completion is: then all of it is delivered.
  ///
  /// Deliveries never overlap, but a scheduler that runs actions concurrently may change their
  /// order. Source of the rules: Combine's `receive(on:options:)`.
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

    /// Where the values come from.
    public let upstream: Upstream

    /// Where they are delivered.
    public let scheduler: Context

    /// What is handed to the scheduler with each delivery.
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

/// To a scheduler's next opportunity.
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
