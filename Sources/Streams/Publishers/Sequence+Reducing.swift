// The elements are known, so these operators compute their result right away, when you call them.
extension Publishers.Sequence {
  /// Publishes the elements in one array, which is made right away.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher { .init(Array(sequence)) }

  /// Publishes no value and finishes.
  @inlinable public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Accumulates the elements right away, and publishes the result.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Result<T, Failure>.Publisher { .init(sequence.reduce(initialResult, nextPartialResult)) }

  /// Accumulates the elements right away, and publishes the result. If the closure throws, the new
  /// publisher fails with that error.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(
      Result { try sequence.reduce(initialResult, nextPartialResult) })
  }

  /// Publishes whether the closure returns `true` for any element. It's called right away.
  @inlinable
  public func contains(
    where predicate: (Output) -> Bool
  ) -> Result<Bool, Failure>.Publisher { .init(sequence.contains(where: predicate)) }

  /// Publishes whether the closure returns `true` for any element. It's called right away. If it
  /// throws, the new publisher fails with that error.
  @inlinable
  public func tryContains(
    where predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error>.Publisher(Result { try sequence.contains(where: predicate) })
  }

  /// Publishes whether the closure returns `true` for all elements. It's called right away.
  @inlinable
  public func allSatisfy(
    _ predicate: (Output) -> Bool
  ) -> Result<Bool, Failure>.Publisher { .init(sequence.allSatisfy(predicate)) }

  /// Publishes whether the closure returns `true` for all elements. It's called right away. If it
  /// throws, the new publisher fails with that error.
  @inlinable
  public func tryAllSatisfy(
    _ predicate: (Output) throws -> Bool
  ) -> Result<Bool, any Error>.Publisher { .init(Result { try sequence.allSatisfy(predicate) }) }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Publishes whether an element equals `output`. They're compared right away.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
    Result<Bool, Failure>.Publisher(sequence.contains(output))
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Publishes the smallest element in an order, if there is one; of equal elements the first. The
  /// closure is called right away.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.min(by: areInIncreasingOrder))
  }

  /// Publishes the greatest element in an order, if there is one; of equal elements the first. The
  /// closure is called right away.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.max(by: areInIncreasingOrder))
  }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
  /// Publishes the smallest element, if there is one; of equal elements the first. They're compared
  /// right away.
  @inlinable public func min() -> Output?.Publisher { Output?.Publisher(sequence.min()) }

  /// Publishes the greatest element, if there is one; of equal elements the first. They're compared
  /// right away.
  @inlinable public func max() -> Output?.Publisher { Output?.Publisher(sequence.max()) }
}

extension Publishers.Sequence where Elements: Collection {
  /// Publishes the number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { .init(sequence.count) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Publishes the number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher { .init(sequence.count) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Publishes the number of elements.
  @inlinable public func count() -> Just<Int> { Just(sequence.count) }
}
