extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  ///     let results = numbers.map(expensive).receive(on: mainQueue)
  ///     // `expensive` runs where `numbers` delivers, everything after it on the main queue.
  ///
  /// Each value is scheduled separately, and the completion after them. The subscription and
  /// requests pass immediately, on the thread that makes them. Demand that a subscriber returns for
  /// a value is requested after that delivery. A cancellation drops the values that still wait,
  /// unless the completion waits too: then they're all delivered.
  ///
  /// Deliveries never overlap. A scheduler with several threads, such as a concurrent queue, can
  /// change the order of values, but the completion comes last. If a scheduler drops an action,
  /// that value is lost, and so is the completion after it. An operation queue does that when you
  /// cancel its operations. Follows Combine's `receive(on:options:)`.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to deliver on.
  ///   - options: The options to pass to the scheduler with each delivery.
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

    public let upstream: Upstream
    public let scheduler: Context
    public let options: Context.SchedulerOptions?

    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      (self.upstream, self.scheduler, self.options) = (upstream, scheduler, options)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        ScheduledDelivery(scheduler: scheduler, options: options, downstream: subscriber))
    }
  }
}

extension Publishers.ReceiveOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

/// The subscriber behind `receive(on:)`. It accepts signals at once, and schedules the delivery of
/// each one separately, at the scheduler's next opportunity.
///
/// The subscription, requests and a cancellation pass at once, on the thread they come from.
@usableFromInline
final class ScheduledDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, options: Context.SchedulerOptions?, downstream: Downstream) {
    (self.scheduler, self.options) = (scheduler, options)
    super.init("ReceiveOn", downstream: downstream)
  }

  // After downstream's last request, only leaving the gate remains.
  @inlinable static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  @inlinable
  func receive(subscription: any Subscription) {
    if attach(subscription) { handOver() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if accept() {
      scheduler.schedule(options: options) {
        let more = self.deliver(accepted: input)
        if more > 0 { self.forward(more) }
      }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard acceptCompletion() else { return }
    scheduler.schedule(options: options) { self.deliver(completion) }
  }
}
