// With a single value, the results of these operators are known, so they do their work right away,
// when you call them. A failure stays a failure.
extension Result.Publisher {
  /// Publishes the value in an array.
  @inlinable public func collect() -> Result<[Success], Failure>.Publisher { map { [$0] } }

  /// Publishes `1`.
  @inlinable public func count() -> Result<Int, Failure>.Publisher { map { _ in 1 } }

  /// Publishes no value and finishes, even if the result is a failure, as in Combine.
  @inlinable public func ignoreOutput() -> Empty<Success, Failure> { Empty() }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. A failure stays unchanged.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) -> T
  ) -> Result<T, Failure>.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. If the closure throws, the new publisher fails with that error. A failure stays
  /// unchanged.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher { tryMap { try nextPartialResult(initialResult, $0) } }

  /// Calls the closure right away, and publishes what it returns. A failure stays unchanged.
  @inlinable
  public func contains(
    where predicate: (Success) -> Bool
  ) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Calls the closure right away, and publishes what it returns. If the closure throws, the new
  /// publisher fails with that error. A failure stays unchanged.
  @inlinable
  public func tryContains(
    where predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Calls the closure right away, and publishes what it returns. A failure stays unchanged.
  @inlinable
  public func allSatisfy(
    _ predicate: (Success) -> Bool
  ) -> Result<Bool, Failure>.Publisher { map(predicate) }

  /// Calls the closure right away, and publishes what it returns. If the closure throws, the new
  /// publisher fails with that error. A failure stays unchanged.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Success) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Returns this publisher, because a single value is the smallest. The closure is never called.
  @inlinable
  public func min(
    by areInIncreasingOrder: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher { self }

  /// Calls the closure right away, with the value as both arguments. Publishes the value, or fails
  /// with the error that the closure throws. A failure stays unchanged.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher { tryMax(by: areInIncreasingOrder) }

  /// Returns this publisher, because a single value is the greatest. The closure is never called.
  @inlinable
  public func max(
    by areInIncreasingOrder: (Success, Success) -> Bool
  ) -> Result<Success, Failure>.Publisher { self }

  /// Calls the closure right away, with the value as both arguments. Publishes the value, or fails
  /// with the error that the closure throws. A failure stays unchanged.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher {
    tryMap { value in
      _ = try areInIncreasingOrder(value, value)
      return value
    }
  }

  /// Returns this publisher, because it's never empty.
  @inlinable
  public func replaceEmpty(with output: Success) -> Result<Success, Failure>.Publisher { self }
}

extension Result.Publisher where Success: Equatable {
  /// Publishes whether the value equals `output`. They're compared right away. A failure stays
  /// unchanged.
  @inlinable
  public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher {
    map { $0 == output }
  }
}

extension Result.Publisher where Success: Comparable {
  /// Returns this publisher, because a single value is the smallest.
  @inlinable public func min() -> Result<Success, Failure>.Publisher { self }

  /// Returns this publisher, because a single value is the greatest.
  @inlinable public func max() -> Result<Success, Failure>.Publisher { self }
}
