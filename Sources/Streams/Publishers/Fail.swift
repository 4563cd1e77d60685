/// A publisher that fails at once, without being asked for a value.
public struct Fail<Output, Failure>: Publisher where Failure: Error {
  /// What it fails with.
  public let error: Failure

  /// Makes a publisher that fails.
  ///
  /// - Parameter error: What it fails with.
  @inlinable
  public init(error: Failure) { self.error = error }

  /// Makes a publisher that fails, of a type of values that cannot be inferred.
  ///
  /// - Parameters:
  ///   - outputType: The type of the values it does not have.
  ///   - failure: What it fails with.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    subscriber.receiveEmptyStream(.failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
