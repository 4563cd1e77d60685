extension Result {
  /// A publisher of the value, or of the failure.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that delivers a value when it is first requested, or fails at once.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Success

    /// The value or the failure.
    public let result: Result<Success, Failure>

    /// Makes a publisher of a result.
    @inlinable
    public init(_ result: Result<Success, Failure>) { self.result = result }

    /// Makes a publisher of a value.
    @inlinable
    public init(_ output: Success) { self.init(.success(output)) }

    /// Makes a publisher that fails.
    @inlinable
    public init(_ failure: Failure) { self.init(.failure(failure)) }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, Success == S.Input, Failure == S.Failure {
      switch result {
      case .success(let output):
        SingleValueSource.attach(subscriber, to: output, name: "Result")
      case .failure(let error):
        subscriber.receiveEmptyStream(.failure(error))
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}

// The result is here: what can be done with it is done at once.
extension Result.Publisher {
  /// Makes another value of this one, now.
  @inlinable
  public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(result.map(transform))
  }

  /// Makes another value of this one, now, or keeps the error that was thrown.
  @inlinable
  public func tryMap<T>(
    _ transform: (Success) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(Result<T, any Error> { try transform(result.get()) })
  }

  /// Makes another error of this one, now.
  @inlinable
  public func mapError<E>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher
  where E: Error { Result<Success, E>.Publisher(result.mapError(transform)) }

  /// Puts a value in the place of the error, now.
  @inlinable
  public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
    Result<Success, Never>.Publisher(result.flatMapError { _ in .success(output) })
  }

  /// This publisher: its result stays what it is.
  @inlinable
  public func retry(_ times: Int) -> Result<Success, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// Gives the publisher a type of error.
  @inlinable
  public func setFailureType<E>(to failureType: E.Type) -> Result<Success, E>.Publisher
  where E: Error { Result<Success, E>.Publisher(result.get()) }
}
