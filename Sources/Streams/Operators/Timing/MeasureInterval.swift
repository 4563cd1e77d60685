extension Publisher {
  /// Replaces each value by the time since the previous one.
  ///
  /// ```swift
  /// taps.measureInterval(using: clock).sink { print($0) }
  /// // Subscribed at 0 s, taps at 2 s and 5 s: prints "2s" and "3s"
  /// ```
  ///
  /// The first interval starts with the subscription. The scheduler only tells the time: nothing is
  /// scheduled. If its time goes back, an interval is negative. Follows Combine's
  /// `measureInterval(using:options:)`.
  ///
  /// - Demand: passes downstream's requests on. Demand that downstream returns for an interval is
  ///   requested after the delivery.
  /// - Completion: passes the completion on, even a failure, at once.
  /// - Threads: delivers where upstream does.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose time is measured.
  ///   - options: Has no effect, because nothing is scheduled.
  /// - Returns: A publisher of intervals, in the scheduler's time.
  @inlinable
  public func measureInterval<S>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> where S: Scheduler {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// A publisher of the times between values; see ``Publisher/measureInterval(using:options:)``.
  public struct MeasureInterval<Upstream, Context>: Publisher
  where Upstream: Publisher, Context: Scheduler {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let scheduler: Context

    @inlinable
    public init(upstream: Upstream, scheduler: Context) {
      (self.upstream, self.scheduler) = (upstream, scheduler)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(
        MeasureIntervalStage<Upstream.Output, _, _>(downstream: subscriber, scheduler: scheduler))
    }
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}

@usableFromInline
struct MeasureIntervalStage<Input, Context: Scheduler, Downstream: Subscriber>: RelayStage,
  TransparentStage
where Downstream.Input == Context.SchedulerTimeType.Stride {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = RelaySubscription("MeasureInterval", trapsOnNoDemand: false)
  @usableFromInline let scheduler: Context

  /// The moment of the previous value, or of the subscription.
  @usableFromInline let previous = Memory<Context.SchedulerTimeType?>(nil)

  @inlinable
  init(downstream: Downstream, scheduler: Context) {
    (self.downstream, self.scheduler) = (downstream, scheduler)
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard relay.attach(subscription) else { return }
    previous.value = scheduler.now
    downstream.receive(subscription: relay)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard relay.isActive else { return .none }
    let now = scheduler.now
    let interval = previous.exchange(with: now)?.distance(to: now)
    guard let interval else { return .none }
    let more = downstream.receive(interval)
    if more > 0 { relay.forward(more) }
    return .none
  }
}
