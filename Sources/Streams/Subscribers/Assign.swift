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

    private enum Status {
      case awaiting(Root)
      case subscribed(Root, any Subscription)
      case ended
    }

    private let status: Locked<Status>

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// The object; `nil` once the stream has ended or was cancelled.
    public var object: Root? {
      status.withLock { status in
        switch status {
        case .awaiting(let object), .subscribed(let object, _): object
        case .ended: nil
        }
      }
    }

    /// Makes a subscriber that sets a property.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      status = Locked(.awaiting(object))
      self.keyPath = keyPath
      SubscriberObservation.note(self)
    }

    public static var _requestsLast: _Hint<Bool> { .yes }

    public func receive(subscription: any Subscription) {
      let isFirst = status.withLock { status in
        guard case .awaiting(let object) = status else { return false }
        status = .subscribed(object, subscription)
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    public func receive(_ value: Input) -> Subscribers.Demand {
      let object = status.withLock { status -> Root? in
        guard case .subscribed(let object, _) = status else { return nil }
        return object
      }
      object?[keyPath: keyPath] = value
      return .none
    }

    public func receive(completion: Subscribers.Completion<Never>) { _ = end() }

    public func cancel() {
      if case .subscribed(_, let subscription) = end() { subscription.cancel() }
    }

    /// - Returns: The status before. The caller releases its contents, outside the lock.
    private func end() -> Status {
      status.withLock { status in
        defer { status = .ended }
        return status
      }
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
  @usableFromInline package var hasSubscription: Bool {
    status.withLock { if case .subscribed = $0 { true } else { false } }
  }
}
