/// A publisher that fails as soon as it's subscribed to, without waiting for a request.
public struct Fail<Output, Failure>: Publisher where Failure: Error {
  /// The error that the publisher fails with.
  public let error: Failure

  /// Creates a publisher that fails.
  ///
  /// - Parameter error: The error to fail with.
  @inlinable public init(error: Failure) { self.error = error }

  /// Creates a publisher that fails, with an explicit output type.
  ///
  /// - Parameters:
  ///   - outputType: The type of the values that it never publishes.
  ///   - failure: The error to fail with.
  @inlinable public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    subscriber.receiveEmptyStream(.failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
