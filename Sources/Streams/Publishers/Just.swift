/// A publisher that publishes one value, as soon as it's requested, and finishes.
///
///     Just(7).map { $0 + 1 }  // 8
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value to publish.
  public let output: Output

  /// Creates a publisher of a value.
  @inlinable public init(_ output: Output) { self.output = output }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    SingleValueSource.attach(subscriber, to: output, name: "Just")
  }

  @inlinable
  public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool> {
    deliver(output)
    return .yes
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

// The value is known, so these operators do their work right away, when you call them.
extension Just {
  /// Transforms the value right away.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

  /// Transforms the value right away. If the closure throws, the new publisher fails with that
  /// error.
  @inlinable
  public func tryMap<T>(
    _ transform: (Output) throws -> T
  ) -> Result<T, any Error>.Publisher { .init(Result { try transform(output) }) }

  /// Changes the failure type. The closure is never called, because there's no error to map.
  @inlinable
  public func mapError<E>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher
  where E: Error { Result<Output, E>.Publisher(output) }

  /// Transforms the value right away, and drops it if the closure returns `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> T?.Publisher {
    T?.Publisher(transform(output))
  }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(isIncluded(output) ? output : nil)
  }

  /// Returns this publisher, because it never fails.
  @inlinable public func replaceError(with output: Output) -> Just<Output> { self }

  /// Returns this publisher, because it never fails.
  @inlinable public func retry(_ times: Int) -> Just<Output> { self }

  /// Changes the failure type. The publisher still never fails.
  @inlinable
  public func setFailureType<E>(to failureType: E.Type) -> Result<Output, E>.Publisher
  where E: Error { Result<Output, E>.Publisher(output) }
}

// With a single value, the results of these operators are known too.
extension Just {
  /// Returns this publisher, because its only value is the first.
  @inlinable public func first() -> Just<Output> { self }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// Returns this publisher, because its only value is the last.
  @inlinable public func last() -> Just<Output> { self }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher { reduce(initialResult, nextPartialResult) }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. If the closure throws, the new publisher fails with that error.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher { tryReduce(initialResult, nextPartialResult) }

  /// Returns this publisher, because a single value has no duplicates.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Calls the closure right away, with the value as both arguments. Publishes the value, or fails
  /// with the error that the closure throws.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }

  /// Keeps the value unless `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Output?.Publisher { .init(output).prefix(maxLength) }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// Keeps the value if `count` is zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Output?.Publisher { .init(output).dropFirst(count) }

  /// Drops the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Output?.Publisher {
    filter { !predicate($0) }
  }

  /// Keeps the value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Output?.Publisher { .init(output).output(at: index) }

  /// Keeps the value if the range starts at zero and isn't empty. With a negative lower bound
  /// there's no value, as in Combine.
  @inlinable
  public func output<R>(in range: R) -> Output?.Publisher
  where R: RangeExpression, R.Bound == Int {
    let places = range.relative(to: 0..<Int.max)
    return Output?.Publisher(places.lowerBound == 0 && !places.isEmpty ? output : nil)
  }
}

extension Just where Output: Equatable {
  /// Returns this publisher, because a single value has no duplicates.
  @inlinable public func removeDuplicates() -> Just<Output> { self }
}

// With values before or after it, the value becomes a sequence.
extension Just {
  /// Publishes the value, then the given ones.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Publishes the value, then the elements of a sequence, which is iterated right away.
  @inlinable
  public func append<S>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where Output == S.Element, S: Sequence {
    Publishers.Sequence(sequence: [output] + elements)
  }

  /// Publishes the given values, then the value.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence, which is iterated right away, then the value.
  @inlinable
  public func prepend<S>(_ elements: S) -> Publishers.Sequence<[Output], Never>
  where Output == S.Element, S: Sequence {
    Publishers.Sequence(sequence: elements + [output])
  }
}
