/// A publisher of one value, which it delivers when it is first requested.
///
///     Just(7).map { $0 + 1 }  // 8
public struct Just<Output>: Publisher {
  public typealias Failure = Never

  /// The value to publish.
  public let output: Output

  /// Makes a publisher of a value.
  @inlinable
  public init(_ output: Output) { self.output = output }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, S.Input == Output, S.Failure == Never {
    SingleValueSource.attach(subscriber, to: output, name: "Just")
  }

  @inlinable
  public var _singleValue: _Hint<Output?> { _Hint(output) }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

// There is one value, and it is here: what can be done with it is done at once.
extension Just {
  /// Makes another value of this one, now.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

  /// Makes another value of this one, now, or keeps the error.
  @inlinable
  public func tryMap<T>(
    _ transform: (Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(Result { try transform(output) })
  }

  /// Gives the publisher a type of error; there is none to map.
  @inlinable
  public func mapError<E>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher
  where E: Error { Result<Output, E>.Publisher(output) }

  /// Makes another value of this one, or nothing, now.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> T?.Publisher {
    T?.Publisher(transform(output))
  }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(isIncluded(output) ? output : nil)
  }

  /// This publisher: it does not fail.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// This publisher: it does not fail.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }

  /// Gives the publisher a type of error.
  @inlinable
  public func setFailureType<E>(to failureType: E.Type) -> Result<Output, E>.Publisher
  where E: Error { Result<Output, E>.Publisher(output) }
}

// What many values come down to is known of one.
extension Just {
  /// An array of the value.
  @inlinable
  public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

  /// One.
  @inlinable
  public func count() -> Just<Int> { Just<Int>(1) }

  /// This publisher: the value is the first.
  @inlinable
  public func first() -> Just<Output> { self }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// This publisher: the value is the last.
  @inlinable
  public func last() -> Just<Output> { self }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// Nothing but the end.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> { Empty() }

  /// Accumulates the value, now.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher {
    Result<T, Never>.Publisher(nextPartialResult(initialResult, output))
  }

  /// Accumulates the value, now, or keeps the error.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(Result { try nextPartialResult(initialResult, output) })
  }

  /// Accumulates the value, now.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) -> T
  ) -> Result<T, Never>.Publisher { reduce(initialResult, nextPartialResult) }

  /// Accumulates the value, now, or keeps the error.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher { tryReduce(initialResult, nextPartialResult) }

  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// The value, or what the closure throws when it is called with the value twice, now.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    tryMap { value in
      _ = try predicate(value, value)
      return value
    }
  }

  /// Keeps the value if the length is not zero; a negative length traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Output?.Publisher {
    Output?.Publisher(output).prefix(maxLength)
  }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

  /// Keeps the value if the index is zero; a negative index traps.
  @inlinable
  public func output(at index: Int) -> Output?.Publisher {
    Output?.Publisher(output).output(at: index)
  }

  /// Keeps the value if the range begins at zero and is not empty. With a negative lower bound
  /// there is no value, as in Combine.
  @inlinable
  public func output<R>(in range: R) -> Output?.Publisher
  where R: RangeExpression, R.Bound == Int {
    let places = range.relative(to: 0..<Int.max)
    return Output?.Publisher(places.lowerBound == 0 && !places.isEmpty ? output : nil)
  }
}

extension Just where Output: Equatable {
  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates() -> Just<Output> { self }
}
