import Synchronization

extension Publisher {
  /// Attaches closures as a subscriber with unlimited demand.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends, but not after a cancellation.
  ///   - receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable
  @inline(__always)
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let relay = RelaySubscription("Sink")
    SubscriberObservation.note(relay)
    subscribe(
      SinkStage<Output, Failure>(
        relay: relay, receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    return AnyCancellable(object: consume relay)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure as a subscriber with unlimited demand.
  ///
  /// - Parameter receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable
  @inline(__always)
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// The end of a chain that `sink` makes.
///
/// The closures are part of the chain. So whoever serialises the deliveries keeps them alive during
/// each, and releases them with the chain at the end of the stream or after a cancellation. The
/// `AnyCancellable` keeps only the relay, which knows whether the stream has ended.
@usableFromInline
struct SinkStage<Input, Failure: Error>: NamedSubscriber {
  @usableFromInline
  let relay: RelaySubscription

  @usableFromInline
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let receiveValue: (Input) -> Void

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

  @usableFromInline
  var name: String { relay.operatorName }

  @inlinable
  var combineIdentifier: CombineIdentifier { CombineIdentifier(relay) }

  @inlinable
  static var _requestsLast: _Hint<Bool> { .yes }

  // `sink` and `subscribe(_:)` look. If a hook is enabled, the stages don't see this type.
  @inlinable
  static var _isAttachedUnseen: _Hint<Bool> { .yes }

  @inlinable
  func receive(subscription: any Subscription) {
    if relay.attach(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if relay.isActive { receiveValue(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if relay.isActive, relay.end() != nil { receiveCompletion(completion) }
  }
}

extension RelaySubscription: CancellableObject {}

extension RelaySubscription: ObservedSubscriber {
  @usableFromInline
  package var hasSubscription: Bool { isActive }
}

extension Subscribers {
  /// A subscriber that calls closures, with unlimited demand.
  ///
  /// The sink releases its closures when the stream ends or is cancelled. When the stream ends, it
  /// releases them before it calls the completion closure. If a delivery is inside the value
  /// closure at that moment, the closures are released when it leaves. A second subscription is
  /// cancelled.
  ///
  /// A sink that is cancelled before it has a subscription stays cancelled: it cancels a
  /// subscription that comes later, and calls neither closure. Combine's `Sink` forgets a
  /// cancellation that comes so early. Otherwise the rules are those of Combine's
  /// `Subscribers.Sink`.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    @usableFromInline
    let lock = SmallLock()

    // These three are guarded by the lock. What's taken out of them is called and released outside.

    /// `nil` once the sink has ended.
    @exclusivity(unchecked)
    @usableFromInline
    var closures: SinkClosures<Input, Failure>?

    @exclusivity(unchecked)
    @usableFromInline
    var subscription: SubscriptionObject?

    @exclusivity(unchecked)
    @usableFromInline
    var isAttached = false

    /// Makes a subscriber of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends.
    ///   - receiveValue: Called for each value, where it is delivered.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      closures = SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      SubscriberObservation.note(self)
    }

    // Never inlined: where the sink was made, the compiler knows the closures that it began with.
    @inline(never)
    deinit {}

    @inlinable
    public static var _requestsLast: _Hint<Bool> { .yes }

    // `sink` and `subscribe(_:)` look. If a hook is enabled, the stages don't see this type.
    @inlinable
    public static var _isAttachedUnseen: _Hint<Bool> { .yes }

    @inlinable
    public func receive(subscription: any Subscription) {
      let object = subscription._object.value
      let isWanted = lock.withLock {
        guard !isAttached, closures != nil else { return false }
        isAttached = true
        self.subscription = object
        return true
      }
      if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    @inlinable
    @inline(__always)
    public func receive(_ value: Input) -> Subscribers.Demand {
      currentClosures?.receiveValue(value)
      return .none
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = takeAll().closures?.receiveCompletion
      receiveCompletion?(completion)
    }

    @inlinable
    public func cancel() { takeAll().subscription?.cancel() }

    @inlinable
    @inline(__always)
    var currentClosures: SinkClosures<Input, Failure>? { lock.withLock { closures } }

    /// Ends the sink.
    @inlinable
    @inline(never)
    func takeAll() -> (
      closures: SinkClosures<Input, Failure>?, subscription: SubscriptionObject?
    ) {
      lock.withLock { (closures.take(), subscription.take()) }
    }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void { currentClosures?.receiveValue ?? { _ in } }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      currentClosures?.receiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: CancellableObject {}

extension Subscribers.Sink: ObservedSubscriber {
  @usableFromInline
  package var hasSubscription: Bool { lock.withLock { subscription != nil } }
}

/// The two closures of a sink.
@usableFromInline
struct SinkClosures<Input, Failure: Error> {
  @usableFromInline
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let receiveValue: (Input) -> Void

  @inlinable
  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}
