// With at most one value, the results of these operators are known, so they do their work right
// away, when you call them. Without a value they publish nothing, as in Combine. The exceptions are
// `collect()`, which publishes an empty array, and `replaceEmpty(with:)`.
extension Optional.Publisher {
  /// Publishes the value in an array, which is empty if there's no value.
  @inlinable
  public func collect() -> [Wrapped]?.Publisher { .init(output.map { [$0] } ?? []) }

  /// Publishes `1`, or nothing if there's no value.
  @inlinable public func count() -> Int?.Publisher { map { _ in 1 } }

  /// Publishes no value and finishes.
  @inlinable public func ignoreOutput() -> Empty<Wrapped, Never> { Empty() }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. Without a value, publishes nothing.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T
  ) -> T?.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Calls the closure right away, and publishes what it returns. Without a value, publishes
  /// nothing.
  @inlinable
  public func contains(where predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

  /// Calls the closure right away, and publishes what it returns. Without a value, publishes
  /// nothing.
  @inlinable
  public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Bool?.Publisher { map(predicate) }

  /// Returns this publisher, because a single value is the smallest. The closure is never called.
  @inlinable
  public func min(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Wrapped?.Publisher {
    self
  }

  /// Returns this publisher, because a single value is the greatest. The closure is never called.
  @inlinable
  public func max(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Wrapped?.Publisher {
    self
  }

  /// Publishes the value, or `output` if there's no value.
  @inlinable
  public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> { Just(self.output ?? output) }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Publishes whether the value equals `output`. They're compared right away. Without a value,
  /// publishes nothing.
  @inlinable public func contains(_ output: Wrapped) -> Bool?.Publisher { map { $0 == output } }
}

extension Optional.Publisher where Wrapped: Comparable {
  /// Returns this publisher, because a single value is the smallest.
  @inlinable public func min() -> Wrapped?.Publisher { self }

  /// Returns this publisher, because a single value is the greatest.
  @inlinable public func max() -> Wrapped?.Publisher { self }
}
