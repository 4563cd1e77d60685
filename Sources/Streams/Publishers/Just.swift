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
