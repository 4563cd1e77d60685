extension Publisher {
  /// Calls your closures as events pass through, before passing the events on.
  ///
  /// The closures are released when the stream ends or is cancelled. A later cancellation isn't
  /// reported. Follows Combine's `handleEvents`.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with the subscription from upstream.
  ///   - receiveOutput: Called for each value.
  ///   - receiveCompletion: Called when the stream ends.
  ///   - receiveCancel: Called when downstream cancels.
  ///   - receiveRequest: Called for each request, and for demand that downstream returns for a
  ///     value.
  /// - Returns: A publisher that changes nothing else.
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

    /// The upstream publisher.
    public let upstream: Upstream

    /// Called with the subscription from upstream.
    public var receiveSubscription: ((any Subscription) -> Void)?

    /// Called for each value.
    public var receiveOutput: ((Upstream.Output) -> Void)?

    /// Called when the stream ends.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?

    /// Called when downstream cancels.
    public var receiveCancel: (() -> Void)?

    /// Called for each request, and for demand that downstream returns for a value.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Creates the publisher that `handleEvents` returns.
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

    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      let signals = Releasable(SignalHandlers(self))
      let relay = HandlingRelay(
        Releasable(DemandHandlers(cancel: receiveCancel, request: receiveRequest)),
        onEnd: { signals.release() })
      upstream.attach(HandleEventsStage(downstream: subscriber, signals: signals, handling: relay))
    }
  }
}

/// The closures to call for signals from upstream.
private struct SignalHandlers<Output, Failure: Error> {
  let subscription: ((any Subscription) -> Void)?
  let output: ((Output) -> Void)?
  let completion: ((Subscribers.Completion<Failure>) -> Void)?

  init<Upstream>(_ events: Publishers.HandleEvents<Upstream>)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    subscription = events.receiveSubscription
    output = events.receiveOutput
    completion = events.receiveCompletion
  }
}

/// The closures to call for requests and cancellations from downstream.
private struct DemandHandlers {
  let cancel: (() -> Void)?
  let request: ((Subscribers.Demand) -> Void)?
}

/// Content that can be released before the object that holds it.
private final class Releasable<Content>: Sendable {
  private let locked: Locked<Content?>

  init(_ content: Content) { locked = Locked(content) }

  var content: Content? { locked.withLock { $0 } }

  /// Removes the content, which the caller then releases outside the lock.
  @discardableResult
  func release() -> Content? { locked.withLock { $0.take() } }
}

private struct HandleEventsStage<Downstream: Subscriber>: RelayStage {
  typealias Failure = Downstream.Failure

  let downstream: Downstream
  let signals: Releasable<SignalHandlers<Downstream.Input, Downstream.Failure>>
  let handling: HandlingRelay
  var relay: RelaySubscription { handling }

  func receive(subscription: any Subscription) {
    signals.content?.subscription?(subscription)
    guard relay.attach(subscription) else { return }
    downstream.receive(subscription: relay)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    signals.content?.output?(input)
    let demand = downstream.receive(input)
    if demand > 0 { handling.handlers.content?.request?(demand) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let signals = signals.release()
    handling.handlers.release()
    _ = relay.end()
    signals?.completion?(completion)
    downstream.receive(completion: completion)
  }
}

private final class HandlingRelay: RelaySubscription {
  let handlers: Releasable<DemandHandlers>
  private let onEnd: () -> Void

  init(_ handlers: Releasable<DemandHandlers>, onEnd: @escaping () -> Void) {
    self.handlers = handlers
    self.onEnd = onEnd
    super.init("HandleEvents")
  }

  override func request(_ demand: Subscribers.Demand) {
    handlers.content?.request?(demand)
    forward(demand)
  }

  override func cancel() {
    handlers.release()?.cancel?()
    onEnd()
    super.cancel()
  }
}
