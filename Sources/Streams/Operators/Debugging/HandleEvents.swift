extension Publisher {
  /// Calls your closures as events pass through, before passing the events on.
  ///
  /// The closures are released once the stream has ended or has been cancelled, and no delivery is
  /// running. A later cancellation isn't reported. Follows Combine's `handleEvents`.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription from upstream.
  ///   - receiveOutput: Called for each value.
  ///   - receiveCompletion: Called when the stream ends.
  ///   - receiveCancel: Called when downstream cancels.
  ///   - receiveRequest: Called for each request, and for demand that downstream returns for a
  ///     value.
  /// - Returns: A publisher that changes nothing else.
  @inlinable
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
      receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// A publisher that calls closures as events pass through; see `handleEvents`.
  public struct HandleEvents<Upstream>: Publisher where Upstream: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public var receiveSubscription: ((any Subscription) -> Void)?
    public var receiveOutput: ((Upstream.Output) -> Void)?
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
    public var receiveCancel: (() -> Void)?
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      upstream.attach(HandleEventsStage(downstream: subscriber, handlers: EventHandlers(of: self)))
    }
  }
}

/// The closures to call. The stage keeps them while values may come, and the relay keeps them while
/// downstream may request or cancel.
@usableFromInline final class EventHandlers<Output, Failure: Error> {
  @usableFromInline let subscription: ((any Subscription) -> Void)?
  @usableFromInline let output: ((Output) -> Void)?
  @usableFromInline let completion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let cancel: (() -> Void)?
  @usableFromInline let request: ((Subscribers.Demand) -> Void)?

  @inlinable
  init<Upstream>(of publisher: Publishers.HandleEvents<Upstream>)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    subscription = publisher.receiveSubscription
    output = publisher.receiveOutput
    completion = publisher.receiveCompletion
    cancel = publisher.receiveCancel
    request = publisher.receiveRequest
  }
}

@usableFromInline struct HandleEventsStage<Downstream: Subscriber>: RelayStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay: HandlingRelay<Input, Failure>
  @usableFromInline let handlers: EventHandlers<Input, Failure>

  @inlinable
  init(downstream: Downstream, handlers: EventHandlers<Input, Failure>) {
    (self.downstream, relay, self.handlers) = (downstream, HandlingRelay(handlers), handlers)
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if !relay.isOver { handlers.subscription?(subscription) }
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if !relay.isOver { handlers.output?(input) }
    let demand = downstream.receive(input)
    if demand > 0, !relay.isOver { handlers.request?(demand) }
    return demand
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.end().isFirst {
      relay.releaseHandlers()
      handlers.completion?(completion)
    }
    downstream.receive(completion: completion)
  }
}

@usableFromInline final class HandlingRelay<Output, Failure: Error>: RelaySubscription {
  @usableFromInline typealias Handlers = EventHandlers<Output, Failure>
  private let kept: Locked<Handlers?>

  @usableFromInline
  init(_ handlers: Handlers) {
    kept = Locked(handlers)
    super.init("HandleEvents")
  }

  @usableFromInline func releaseHandlers() { _ = kept.withLock { $0.take() } }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    kept.withLock { $0 }?.request?(demand)
    forward(demand)
  }

  @usableFromInline
  override func cancel() {
    kept.withLock { $0.take() }?.cancel?()
    super.cancel()
  }
}
