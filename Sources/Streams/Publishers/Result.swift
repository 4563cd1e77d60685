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
        SingleValueSource.attach(subscriber, to: output, name: "Once")
      case .failure(let error):
        subscriber.receiveEmptyStream(.failure(error))
      }
    }

    @inlinable
    public var _singleValue: _Hint<Success?> { _Hint(try? result.get()) }
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

// What many values come down to is known of one. A failure stays what it is.
extension Result.Publisher {
  /// An array of the value.
  @inlinable
  public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

  /// One.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// This publisher: the value is the first.
  @inlinable
  public func first() -> Result<Success, Failure>.Publisher { self }

  /// This publisher: the value is the last.
  @inlinable
  public func last() -> Result<Success, Failure>.Publisher { self }

  /// Nothing but the end, which is no failure even where the result is one, as in Combine.
  @inlinable
  public func ignoreOutput() -> Empty<Success, Failure> { Empty() }

  /// Accumulates the value, now.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) -> T
  ) -> Result<T, Failure>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Accumulates the value, now, or keeps the error that was thrown.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher { tryMap { try nextPartialResult(initialResult, $0) } }

  /// Accumulates the value, now.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) -> T
  ) -> Result<T, Failure>.Publisher { reduce(initialResult, nextPartialResult) }

  /// Accumulates the value, now, or keeps the error that was thrown.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher { tryReduce(initialResult, nextPartialResult) }

  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates(
    by predicate: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher { self }

  /// The value, or what the closure throws when it is called with the value twice, now.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }
}

extension Result.Publisher where Success: Equatable {
  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates() -> Result<Success, Failure>.Publisher { self }
}
