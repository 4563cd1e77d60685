extension Publisher where Failure == Never {
  /// Sets a property of an object to each value.
  ///
  /// The object is kept alive until the stream ends or is cancelled. So an object that stores the
  /// returned cancellable itself isn't released before then.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that sets a property of an object to each value, with unlimited demand.
  ///
  /// It keeps the object until the stream ends or is cancelled. A second subscription is cancelled.
  /// Source of the rules: Combine's `Subscribers.Assign`.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  {
    public typealias Failure = Never

    private let kept: KeptUntilEnd<Root>

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// The object; `nil` once the stream has ended or was cancelled.
    public var object: Root? { kept.content }

    /// Makes a subscriber that sets a property.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      kept = KeptUntilEnd(object)
      self.keyPath = keyPath
      SubscriberObservation.note(self)
    }

    public static var _requestsLast: _Hint<Bool> { .yes }

    public func receive(subscription: any Subscription) { kept.attach(subscription) }

    public func receive(_ value: Input) -> Subscribers.Demand {
      kept.attachedContent?[keyPath: keyPath] = value
      return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) { _ = kept.end() }

    public func cancel() {
      // The object is released before upstream is cancelled, as in Combine.
      let subscription = kept.end().subscription
      subscription?.cancel()
    }

    /// `Assign` and the type of the object.
    public var description: String { "Assign \(Root.self)." }

    public var customMirror: Mirror {
      Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": description])
    }

    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Assign: ObservedSubscriber {
  @usableFromInline package var isActive: Bool { kept.attachedContent != nil }
}
