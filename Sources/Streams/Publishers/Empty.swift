/// A publisher without values, which ends at once or never.
public struct Empty<Output, Failure>: Publisher, Equatable where Failure: Error {
  /// Whether it ends at once.
  public let completeImmediately: Bool

  /// Makes a publisher without values.
  ///
  /// - Parameter completeImmediately: Whether it ends at once; if not, it never does.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes a publisher without values, of types that cannot be inferred.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether it ends at once; if not, it never does.
  ///   - outputType: The type of the values it does not have.
  ///   - failureType: The type of the errors it does not fail with.
  @inlinable
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      subscriber.receiveEmptyStream(.finished)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
