extension Optional {
  /// A publisher of the value, if there is one. Otherwise it finishes right away.
  // Disfavoured, because Combine got it only in its second version. A library that supports the
  // first one has a `publisher` of its own, which is the one to take then.
  @_disfavoredOverload public var publisher: Publisher { Publisher(self) }

  /// A publisher that publishes one value, as soon as it's requested, or finishes right away.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value to publish, if there is one.
    public let output: Wrapped?

    /// Creates a publisher of a value, or of no value.
    @inlinable public init(_ output: Wrapped?) { self.output = output }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      if let output {
        SingleValueSource.attach(subscriber, to: output, name: "Optional")
      } else {
        subscriber.receiveEmptyStream(.finished)
      }
    }

    @inlinable
    public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool>
    {
      if let output { deliver(output) }
      return .yes
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}

// The value, if any, is known, so these operators do their work right away, when you call them.
extension Optional.Publisher {
  /// Transforms the value right away, if there is one.
  @inlinable
  public func map<T>(_ transform: (Wrapped) -> T) -> T?.Publisher { .init(output.map(transform)) }

  /// Transforms the value right away, and drops it if the closure returns `nil`.
  @inlinable
  public func compactMap<T>(_ transform: (Wrapped) -> T?) -> T?.Publisher {
    T?.Publisher(output.flatMap(transform))
  }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    Wrapped?.Publisher(output.flatMap { isIncluded($0) ? $0 : nil })
  }

  /// Returns this publisher, because it never fails.
  @inlinable public func replaceError(with output: Wrapped) -> Wrapped?.Publisher { self }

  /// Returns this publisher, because it never fails.
  @inlinable public func retry(_ times: Int) -> Wrapped?.Publisher { self }
}

// With at most one value, the results of these operators are known too.
extension Optional.Publisher {
  /// Returns this publisher, because its only value is the first.
  @inlinable public func first() -> Wrapped?.Publisher { self }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func first(where predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher { filter(predicate) }

  /// Returns this publisher, because its only value is the last.
  @inlinable public func last() -> Wrapped?.Publisher { self }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func last(where predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher { filter(predicate) }

  /// Calls the closure right away, with the initial result and the value, and publishes what it
  /// returns. Without a value, publishes nothing.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T
  ) -> T?.Publisher { reduce(initialResult, nextPartialResult) }

  /// Returns this publisher, because a single value has no duplicates.
  @inlinable
  public func removeDuplicates(
    by predicate: (Wrapped, Wrapped) -> Bool
  ) -> Wrapped?.Publisher { self }

  /// Keeps the value unless `maxLength` is zero. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Wrapped?.Publisher {
    precondition(maxLength >= 0, "prefix: the length can't be negative: \(maxLength)")
    return output(in: 0..<maxLength)
  }

  /// Keeps the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func prefix(while predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    filter(predicate)
  }

  /// Keeps the value if `count` is zero. Traps if `count` is negative.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Wrapped?.Publisher {
    precondition(count >= 0, "dropFirst: the count can't be negative: \(count)")
    return count == 0 ? self : Wrapped?.Publisher(nil)
  }

  /// Drops the value if the closure returns `true`. The closure is called right away.
  @inlinable
  public func drop(while predicate: (Wrapped) -> Bool) -> Wrapped?.Publisher {
    filter { !predicate($0) }
  }

  /// Keeps the value if `index` is zero. Traps if `index` is negative.
  @inlinable
  public func output(at index: Int) -> Wrapped?.Publisher {
    precondition(index >= 0, "output(at:): the index can't be negative: \(index)")
    return index == 0 ? self : Wrapped?.Publisher(nil)
  }

  /// Keeps the value if the range contains zero. Traps if a bound is negative.
  @inlinable
  public func output<R>(in range: R) -> Wrapped?.Publisher
  where R: RangeExpression, R.Bound == Int {
    let places = range.relative(to: 0..<Int.max)
    precondition(places.lowerBound >= 0, "output(in:): the bounds can't be negative: \(places)")
    return places.contains(0) ? self : Wrapped?.Publisher(nil)
  }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Returns this publisher, because a single value has no duplicates.
  @inlinable public func removeDuplicates() -> Wrapped?.Publisher { self }
}
