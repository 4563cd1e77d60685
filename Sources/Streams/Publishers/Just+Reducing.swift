// With a single value, the results of these operators are known, so they do their work right away,
// when you call them.
extension Just {
  /// Publishes the value in an array.
  @inlinable public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// Publishes `1`.
  @inlinable public func count() -> Just<Int> { Just<Int>(1) }

  /// Publishes no value and finishes.
  @inlinable public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher { .init(nextPartialResult(initialResult, output)) }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. If the closure throws, the new publisher fails with that error.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(Result { try nextPartialResult(initialResult, output) })
  }

  /// Calls the closure right away, and publishes what it returns.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Calls the closure right away, and publishes what it returns. If the closure throws, the new
  /// publisher fails with that error.
  @inlinable
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Calls the closure right away, and publishes what it returns.
  @inlinable public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { map(predicate) }

  /// Calls the closure right away, and publishes what it returns. If the closure throws, the new
  /// publisher fails with that error.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { tryMap(predicate) }

  /// Returns this publisher, because a single value is the smallest. The closure is never called.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Returns this publisher, because a single value is the greatest. The closure is never called.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Returns this publisher, because it's never empty.
  @inlinable public func replaceEmpty(with output: Output) -> Just<Output> { self }
}

extension Just where Output: Equatable {
  /// Publishes whether the value equals `output`. They're compared right away.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }
}

extension Just where Output: Comparable {
  /// Returns this publisher, because a single value is the smallest.
  @inlinable public func min() -> Just<Output> { self }

  /// Returns this publisher, because a single value is the greatest.
  @inlinable public func max() -> Just<Output> { self }
}
