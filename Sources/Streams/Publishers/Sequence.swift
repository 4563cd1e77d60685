extension Sequence {
  /// A publisher of the elements of this sequence.
  @inlinable public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// Each subscriber gets its own iterator, made when it subscribes. Elements are delivered during
  /// the call that requests them. The completion follows the last element right away, without a
  /// request of its own.
  public struct Sequence<Elements, Failure>: Publisher
  where Elements: Swift.Sequence, Failure: Error {
    public typealias Output = Elements.Element

    public let sequence: Elements

    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      SequenceSource.attach(subscriber, to: sequence)
    }

    @inlinable @inline(__always)
    public func _deliverAll(while isWanted: () -> Bool, _ deliver: (Output) -> Void) -> _Hint<Bool>
    {
      var iterator = sequence.makeIterator()
      var next = iterator.next()
      // One element ahead, as with a subscription.
      while let value = next, isWanted() {
        next = iterator.next()
        // Checked again, because the iterator may have cancelled.
        guard isWanted() else { break }
        deliver(value)
      }
      return .yes
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

// The elements are known, so these operators do their work right away, when you call them.
extension Publishers.Sequence {
  /// Transforms the elements right away.
  @inlinable
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
  }

  /// Transforms the elements right away, and drops those for which the closure returns `nil`.
  @inlinable
  public func compactMap<T>(
    _ transform: (Elements.Element) -> T?
  ) -> Publishers.Sequence<[T], Failure> { .init(sequence: sequence.compactMap(transform)) }

  /// Keeps the elements for which the closure returns `true`. The closure is called right away.
  @inlinable
  public func filter(
    _ isIncluded: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    var kept: [Elements.Element] = []
    // Reserve room for every element: growing in steps copies more than it saves.
    kept.reserveCapacity(sequence.underestimatedCount)
    for element in sequence where isIncluded(element) { kept.append(element) }
    return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
  }

  /// Replaces each `nil` with a value right away. The elements stay optional, as in Combine.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Output], Failure>
  where Elements.Element == T? {
    Publishers.Sequence<[Output], Failure>(sequence: sequence.map { $0 ?? output })
  }

  /// Changes the failure type. The publisher still never fails.
  @inlinable
  public func setFailureType<E>(to error: E.Type) -> Publishers.Sequence<Elements, E>
  where E: Error { Publishers.Sequence<Elements, E>(sequence: sequence) }
}

// These depend on the position or the neighbours of an element.
extension Publishers.Sequence {
  /// Accumulates the elements right away, and publishes the result after each element.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map { element in
      result = nextPartialResult(result, element)
      return result
    }
  }

  /// Publishes at most the first `maxLength` elements. Traps if `maxLength` is negative.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    Publishers.Sequence<PrefixSequence<Elements>, Failure>(
      sequence: PrefixSequence(sequence, maxLength: maxLength))
  }

  /// Keeps the elements before the first one for which the closure returns `false`. The closure is
  /// called right away.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }

  /// Drops the first elements.
  ///
  /// - Parameter count: How many elements to drop. Traps if it's negative.
  @inlinable
  public func dropFirst(
    _ count: Int = 1
  ) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    Publishers.Sequence<DropFirstSequence<Elements>, Failure>(
      sequence: DropFirstSequence(sequence, dropping: count))
  }

  /// Drops the elements before the first one for which the closure returns `false`. The closure is
  /// called right away.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    let rest: DropWhileSequence<Elements> = sequence.drop(while: predicate)
    return Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: rest)
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Keeps the elements that differ from the previous element. They're compared right away.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
    var previous: Output?
    return filter { element in
      defer { previous = element }
      return element != previous
    }
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Publishes the first element for which the closure returns `true`, if there is one. The closure
  /// is called right away.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Keeps the elements in a range of indices. Traps if the collection doesn't have that range.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Output], Failure> { .init(sequence: Array(sequence[range])) }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Publishes the first element, if there is one.
  @inlinable public func first() -> Output?.Publisher { Output?.Publisher(sequence.first) }

  /// Publishes the element at `index`, or nothing if the collection doesn't have that index.
  @inlinable
  public func output(at index: Elements.Index) -> Output?.Publisher {
    Output?.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Publishes the last element, if there is one.
  @inlinable public func last() -> Output?.Publisher { Output?.Publisher(sequence.last) }

  /// Publishes the last element for which the closure returns `true`, if there is one. The closure
  /// is called right away.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Keeps the elements in a range of indices. Traps if the collection doesn't have that range.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Output], Failure> { .init(sequence: Array(sequence[range])) }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Publishes the element at `index`, or nothing if the collection doesn't have that index.
  @inlinable
  public func output(at index: Elements.Index) -> Output?.Publisher {
    Output?.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}
