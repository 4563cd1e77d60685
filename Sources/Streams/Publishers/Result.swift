extension Result {
  /// A publisher of the value, or one that fails with the error.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that publishes one value, as soon as it's requested, or fails right away.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Success

    /// The value to publish, or the error to fail with.
    public let result: Result<Success, Failure>

    /// Creates a publisher of a result.
    @inlinable public init(_ result: Result<Success, Failure>) { self.result = result }

    /// Creates a publisher of a value.
    @inlinable public init(_ output: Success) { self.init(.success(output)) }

    /// Creates a publisher that fails.
    @inlinable public init(_ failure: Failure) { self.init(.failure(failure)) }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      switch result {
      case .success(let output):
        SingleValueSource.attach(subscriber, to: output, name: "Once")
      case .failure(let error):
        subscriber.receiveEmptyStream(.failure(error))
      }
    }

    @inlinable
    public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool>
    {
      guard case .success(let output) = result else { return .no }
      deliver(output)
      return .yes
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}

// The result is known, so these operators do their work right away, when you call them.
extension Result.Publisher {
  /// Transforms the value right away.
  @inlinable
  public func map<T>(_ transform: (Success) -> T) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(result.map(transform))
  }

  /// Transforms the value right away. If the closure throws, the new publisher fails with that
  /// error.
  @inlinable
  public func tryMap<T>(_ transform: (Success) throws -> T) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(Result<T, any Error> { try transform(result.get()) })
  }

  /// Transforms the error right away.
  @inlinable
  public func mapError<E>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher
  where E: Error { Result<Success, E>.Publisher(result.mapError(transform)) }

  /// Replaces the error with a value right away.
  @inlinable
  public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
    Result<Success, Never>.Publisher(result.flatMapError { _ in .success(output) })
  }

  /// Returns this publisher, because another attempt would have the same result.
  @inlinable public func retry(_ times: Int) -> Result<Success, Failure>.Publisher { self }
}

extension Result.Publisher where Failure == Never {
  /// Changes the failure type. The publisher still never fails.
  @inlinable
  public func setFailureType<E>(to failureType: E.Type) -> Result<Success, E>.Publisher
  where E: Error { Result<Success, E>.Publisher(result.get()) }
}

// With a single value, the results of these operators are known too. A failure stays a failure.
extension Result.Publisher {
  /// Returns this publisher, because its only value is the first.
  @inlinable public func first() -> Result<Success, Failure>.Publisher { self }

  /// Returns this publisher, because its only value is the last.
  @inlinable public func last() -> Result<Success, Failure>.Publisher { self }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. A failure stays unchanged.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) -> T
  ) -> Result<T, Failure>.Publisher { reduce(initialResult, nextPartialResult) }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. If the closure throws, the new publisher fails with that error. A failure stays
  /// unchanged.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher { tryReduce(initialResult, nextPartialResult) }

  /// Returns this publisher, because a single value has no duplicates.
  @inlinable
  public func removeDuplicates(
    by predicate: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher { self }

  /// Calls the closure right away, with the value as both arguments. Publishes the value, or fails
  /// with the error that the closure throws. A failure stays unchanged.
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
  /// Returns this publisher, because a single value has no duplicates.
  @inlinable public func removeDuplicates() -> Result<Success, Failure>.Publisher { self }
}
