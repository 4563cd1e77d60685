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
    private struct Closures {
      let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
      let receiveValue: (Input) -> Void
    }

    private let kept: KeptUntilEnd<Closures>

    /// Makes a subscriber of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends.
    ///   - receiveValue: Called for each value, where it is delivered.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      kept = KeptUntilEnd(
        Closures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
      SubscriberObservation.note(self)
    }

    public static var _requestsLast: _Hint<Bool> { .yes }

    public func receive(subscription: any Subscription) { kept.attach(subscription) }

    public func receive(_ value: Input) -> Subscribers.Demand {
      kept.content?.receiveValue(value)
      return .none
    }

    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = kept.end().content?.receiveCompletion
      receiveCompletion?(completion)
    }

    public func cancel() {
      // The closures are released before upstream is cancelled, as in Combine.
      let subscription = kept.end().subscription
      subscription?.cancel()
    }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void { kept.content?.receiveValue ?? { _ in } }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      kept.content?.receiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: ObservedSubscriber {
  @usableFromInline package var isActive: Bool { kept.attachedContent != nil }
}
