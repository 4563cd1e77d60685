extension Subscribers {
  /// A subscriber that calls closures, with unlimited demand.
  ///
  /// Any thread may cancel it. When the stream ends or is cancelled, the sink releases its
  /// closures, even if you keep the sink. A closure that's running then is released as it returns.
  /// A second subscription is cancelled.
  ///
  /// A sink that is cancelled before it has a subscription stays cancelled: it cancels a
  /// subscription that comes later, and calls neither closure. Combine's `Sink` forgets a
  /// cancellation that comes so early. Otherwise the rules are those of Combine's
  /// `Subscribers.Sink`.
  ///
  /// The method `sink` is faster, because it needs no lock per value.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    private enum State {
      case awaiting(SinkClosures<Input, Failure>)
      case attached(SinkClosures<Input, Failure>, any Subscription)
      case ended

      var closures: SinkClosures<Input, Failure>? {
        switch self {
        case .awaiting(let closures), .attached(let closures, _): closures
        case .ended: nil
        }
      }

      var subscription: (any Subscription)? {
        if case .attached(_, let subscription) = self { subscription } else { nil }
      }

      /// - Returns: Whether the subscription is wanted: the first one, before the end.
      mutating func attach(_ subscription: any Subscription) -> Bool {
        guard case .awaiting(let closures) = self else { return false }
        self = .attached(closures, subscription)
        return true
      }

      /// - Returns: The state before, for the caller to use and release outside the lock.
      mutating func end() -> State {
        defer { self = .ended }
        return self
      }
    }

    private let state: Locked<State>

    /// Makes a subscriber of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends.
    ///   - receiveValue: Called for each value, where it is delivered.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      state = Locked(
        .awaiting(SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)))
      SubscriberObservation.note(self)
    }

    public static var _requestsLast: _Hint<Bool> { .yes }

    public func receive(subscription: any Subscription) {
      if state.withLock({ $0.attach(subscription) }) {
        subscription.request(.unlimited)
      } else {
        subscription.cancel()
      }
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      closures?.receiveValue(value)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = state.withLock { $0.end() }.closures?.receiveCompletion
      receiveCompletion?(completion)
    }

    public func cancel() { state.withLock { $0.end() }.subscription?.cancel() }

    private var closures: SinkClosures<Input, Failure>? { state.withLock { $0.closures } }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void { closures?.receiveValue ?? { _ in } }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      closures?.receiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: ObservedSubscriber {
  @usableFromInline package var hasSubscription: Bool { state.withLock { $0.subscription != nil } }
}

/// The two closures of a ``Subscribers/Sink``.
private struct SinkClosures<Input, Failure: Error> {
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  let receiveValue: (Input) -> Void
}
