extension Optional {
  /// A publisher of the value, if there is one.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that delivers a value when it is first requested, or ends at once.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value to publish, if there is one.
    public let output: Wrapped?

    /// Makes a publisher of a value or none.
    @inlinable
    public init(_ output: Wrapped?) { self.output = output }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, Wrapped == S.Input, S.Failure == Never {
      if let output {
        SingleValueSource.attach(subscriber, to: output, name: "Optional")
      } else {
        subscriber.receiveEmptyStream(.finished)
      }
    }

    @inlinable
    public var _singleValue: _Hint<Wrapped?> { _Hint(output) }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}

// The value, if any, is here: what can be done with it is done at once.
extension Optional.Publisher {
  /// Makes another value of this one, now.
  @inlinable
  public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher {
    T?.Publisher(output.map(transform))
  }

  /// Makes another value of this one, or nothing, now.
  @inlinable
  public func compactMap<T>(_ transform: (Wrapped) -> T?) -> T?.Publisher {
    T?.Publisher(output.flatMap(transform))
  }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    Wrapped?.Publisher(output.flatMap { isIncluded($0) ? $0 : nil })
  }

  /// This publisher: it does not fail.
  @inlinable
  public func replaceError(with output: Wrapped) -> Wrapped?.Publisher { self }

  /// This publisher: it does not fail.
  @inlinable
  public func retry(_ times: Int) -> Wrapped?.Publisher { self }
}

// What many values come down to is known of one. Where there is none, nothing comes of nothing, as
// in Combine; only an array is there without values.
extension Optional.Publisher {
  /// An array of the value, or an empty one.
  @inlinable
  public func collect() -> [Wrapped]?.Publisher {
    [Wrapped]?.Publisher(output.map { [$0] } ?? [])
  }

  /// One, or nothing.
  @inlinable
  public func count() -> Int?.Publisher { map { _ in 1 } }

  /// This publisher: the value, if any, is the first.
  @inlinable
  public func first() -> Wrapped?.Publisher { self }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func first(where predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher { filter(predicate) }

  /// This publisher: the value, if any, is the last.
  @inlinable
  public func last() -> Wrapped?.Publisher { self }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func last(where predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher { filter(predicate) }

  /// Nothing but the end.
  @inlinable
  public func ignoreOutput() -> Empty<Wrapped, Never> { Empty() }

  /// Accumulates the value, now, or does nothing.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T
  ) -> T?.Publisher { map { nextPartialResult(initialResult, $0) } }

  /// Accumulates the value, now, or does nothing.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T
  ) -> T?.Publisher { reduce(initialResult, nextPartialResult) }

  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates(
    by predicate: (Wrapped, Wrapped) -> Bool
  ) -> Wrapped?.Publisher { self }

  /// Keeps the value if the length is not zero; a negative length traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Wrapped?.Publisher {
    precondition(maxLength >= 0, "prefix: the length can't be negative: \(maxLength)")
    return output(in: 0..<maxLength)
  }

  /// Keeps the value if it passes a test, which is made now.
  @inlinable
  public func prefix(while predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    filter(predicate)
  }

  /// Keeps the value if the index is zero; a negative index traps.
  @inlinable
  public func output(at index: Int) -> Wrapped?.Publisher {
    precondition(index >= 0, "output(at:): the index can't be negative: \(index)")
    return index == 0 ? self : Wrapped?.Publisher(nil)
  }

  /// Keeps the value if the range holds zero; negative bounds trap.
  @inlinable
  public func output<R>(in range: R) -> Wrapped?.Publisher
  where R: RangeExpression, R.Bound == Int {
    let places = range.relative(to: 0..<Int.max)
    precondition(places.lowerBound >= 0, "output(in:): the bounds can't be negative: \(places)")
    return places.contains(0) ? self : Wrapped?.Publisher(nil)
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// This publisher: a value does not repeat itself.
  @inlinable
  public func removeDuplicates() -> Wrapped?.Publisher { self }
}
