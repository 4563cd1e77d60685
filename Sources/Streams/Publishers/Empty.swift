/// A publisher that publishes no values, and either finishes right away or never completes.
public struct Empty<Output, Failure>: Publisher, Equatable where Failure: Error {
  /// Whether the publisher finishes as soon as it's subscribed to.
  public let completeImmediately: Bool

  /// Creates a publisher that publishes no values.
  ///
  /// - Parameter completeImmediately: Whether to finish right away. If not, the publisher never
  ///   completes.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Creates a publisher that publishes no values, with explicit types.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether to finish right away. If not, the publisher never completes.
  ///   - outputType: The type of the values that it never publishes.
  ///   - failureType: The type of the errors that it never fails with.
  @inlinable
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    if completeImmediately {
      subscriber.receiveEmptyStream(.finished)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}

extension Empty: Sendable {}
