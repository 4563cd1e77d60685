extension Publisher {
  /// Subscribes, requests and cancels on a scheduler.
  ///
  /// Values arrive on the thread where upstream delivers them. To change that, use
  /// ``receive(on:options:)``. If you cancel before the scheduler gets round to subscribing,
  /// nothing is delivered. Follows Combine's `subscribe(on:options:)`.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler to call upstream on.
  ///   - options: The options to pass to the scheduler with each call.
  /// - Returns: A publisher of the same values, with the same demand.
  @inlinable
  public func subscribe<S>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> where S: Scheduler {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that calls its upstream on a scheduler; see ``Publisher/subscribe(on:options:)``.
  public struct SubscribeOn<Upstream, Context>: Publisher
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

    @inlinable
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let hop = { [scheduler, options] in scheduler.schedule(options: options, $0) }
      let stage = SubscribeOnStage(downstream: subscriber, relay: HoppingRelay(hop))
      hop { [upstream] in upstream.attach(stage) }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

@usableFromInline struct SubscribeOnStage<Downstream: Subscriber>: RelayStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: RelaySubscription

  @usableFromInline
  init(downstream: Downstream, relay: HoppingRelay) {
    (self.downstream, self.relay) = (downstream, relay)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    relay.isActive ? downstream.receive(input) : .none
  }
}

/// A relay that calls upstream on a scheduler.
@usableFromInline final class HoppingRelay: RelaySubscription {
  private let hop: (@escaping () -> Void) -> Void

  @usableFromInline
  init(_ hop: @escaping (@escaping () -> Void) -> Void) {
    self.hop = hop
    super.init("SubscribeOn")
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    // Captured now, so that a cancellation after this request also reaches upstream after it.
    guard let upstream else { return }
    hop { upstream.request(demand) }
  }

  @usableFromInline
  override func cancel() {
    guard let upstream = end().upstream else { return }
    hop { upstream.cancel() }
  }
}
