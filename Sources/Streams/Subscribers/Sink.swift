extension Publisher {
  /// Attaches closures as a subscriber with unlimited demand.
  ///
  /// The closures are released once the stream has ended or has been cancelled, and no delivery is
  /// running. A publisher of your own that keeps its subscriber after the end keeps the closures
  /// too. A cancellation doesn't wait: a value that another thread is delivering may still arrive.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends, but not after a cancellation.
  ///   - receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable @inline(__always)
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let relay = RelaySubscription("Sink")
    SubscriberObservation.note(relay)  // For test kits. Otherwise it does nothing.
    subscribe(
      SinkStage(relay: relay, receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    return AnyCancellable(consume relay)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure as a subscriber with unlimited demand.
  ///
  /// - Parameter receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable @inline(__always)
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// The subscriber that `sink` makes: it requests all values, and calls the closures. It's the last
/// link of a chain of stages.
///
/// Its closures are part of the chain. The source keeps the chain alive while it delivers, and
/// releases it once the stream is over and no delivery is running. So a delivery calls the closures
/// without retaining them, and needs no lock. The `AnyCancellable` keeps only the relay, which
/// knows whether the stream is over. ``Subscribers/Sink`` is another type, for code that attaches a
/// subscriber of its own.
@usableFromInline struct SinkStage<Input, Failure: Error>: Subscriber, Named {
  @usableFromInline let relay: RelaySubscription
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline let receiveValue: (Input) -> Void

  @inlinable
  init(
    relay: RelaySubscription,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.relay = relay
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  @usableFromInline var name: String { relay.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(relay) }
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }

  @inlinable
  func receive(subscription: any Subscription) {
    if relay.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if !relay.isOver { receiveValue(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.end().isFirst { receiveCompletion(completion) }
  }
}
