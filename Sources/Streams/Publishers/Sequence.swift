extension Sequence {
  /// A publisher of the elements of this sequence.
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

extension Publishers {
  /// A publisher of the elements of a sequence.
  ///
  /// Each subscriber gets an iterator of its own, made when it subscribes. Elements are delivered
  /// as they are requested, in the call that requests them; the completion comes right behind the
  /// last one, without a demand of its own.
  public struct Sequence<Elements, Failure>: Publisher
  where Elements: Swift.Sequence, Failure: Error {
    public typealias Output = Elements.Element

    /// The elements to publish.
    public let sequence: Elements

    /// Makes a publisher of a sequence.
    ///
    /// - Parameter sequence: The elements to publish.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, Failure == S.Failure, Elements.Element == S.Input {
      SequenceSource.attach(subscriber, to: sequence)
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

// The elements are here: what can be done with them is done at once, when the operator is called.
extension Publishers.Sequence {
  /// Makes another value of each element, now.
  @inlinable
  public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map(transform))
  }

  /// Makes another value of each element, or nothing, now.
  @inlinable
  public func compactMap<T>(
    _ transform: (Elements.Element) -> T?
  ) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence<[T], Failure>(sequence: sequence.compactMap(transform))
  }

  /// Keeps the elements that pass a test, which is made now.
  @inlinable
  public func filter(
    _ isIncluded: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    var kept: [Elements.Element] = []
    // Room for all: growing in steps copies more than it saves.
    kept.reserveCapacity(sequence.underestimatedCount)
    for element in sequence where isIncluded(element) { kept.append(element) }
    return Publishers.Sequence<[Elements.Element], Failure>(sequence: kept)
  }

  /// Puts a value in the place of each `nil`, now.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[T], Failure>
  where Elements.Element == T? {
    Publishers.Sequence<[T], Failure>(sequence: sequence.map { $0 ?? output })
  }

  /// This publisher: a sequence does not fail.
  @inlinable
  public func retry(_ times: Int) -> Publishers.Sequence<Elements, Failure> { self }
}

extension Publishers.Sequence where Failure == Never {
  /// Gives the publisher a type of error.
  @inlinable
  public func setFailureType<E>(to error: E.Type) -> Publishers.Sequence<Elements, E>
  where E: Error { Publishers.Sequence<Elements, E>(sequence: sequence) }
}

// What all elements come down to is worked out at once too.
extension Publishers.Sequence {
  /// An array of the elements, made now.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher {
    Result<[Output], Failure>.Publisher(Array(sequence))
  }

  /// Nothing but the end.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

  /// Accumulates the elements, now.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Result<T, Failure>.Publisher {
    Result<T, Failure>.Publisher(sequence.reduce(initialResult, nextPartialResult))
  }

  /// Accumulates the elements, now, or keeps the error that was thrown.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error>.Publisher(
      Result { try sequence.reduce(initialResult, nextPartialResult) })
  }

  /// Accumulates the elements, now, and keeps each result.
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

  /// The first elements, up to a number; a negative number traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    Publishers.Sequence<PrefixSequence<Elements>, Failure>(
      sequence: PrefixSequence(sequence, maxLength: maxLength))
  }

  /// Keeps the elements before the first that does not pass a test, which is made now.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence<[Elements.Element], Failure>(sequence: sequence.prefix(while: predicate))
  }
}

extension Publishers.Sequence where Elements.Element: Equatable {
  /// Keeps the elements that are not equal to the one before, now.
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
  /// Keeps the first element that passes a test, which is made now.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.first(where: predicate))
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// The number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    Result<Int, Failure>.Publisher(sequence.count)
  }

  /// Keeps the elements at some indices, now; those that the collection does not have trap.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// The first element, if there is one.
  @inlinable
  public func first() -> Output?.Publisher { Output?.Publisher(sequence.first) }

  /// The element at an index, if there is one.
  @inlinable
  public func output(at index: Elements.Index) -> Output?.Publisher {
    Output?.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// The last element, if there is one.
  @inlinable
  public func last() -> Output?.Publisher { Output?.Publisher(sequence.last) }

  /// Keeps the last element that passes a test, which is made now.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Output?.Publisher {
    Output?.Publisher(sequence.last(where: predicate))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// The number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    Result<Int, Failure>.Publisher(sequence.count)
  }

  /// Keeps the elements at some indices, now; those that the collection does not have trap.
  @inlinable
  public func output(
    in range: Range<Elements.Index>
  ) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence<[Output], Failure>(sequence: Array(sequence[range]))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// The number of elements.
  @inlinable
  public func count() -> Just<Int> { Just(sequence.count) }

  /// The element at an index, if there is one.
  @inlinable
  public func output(at index: Elements.Index) -> Output?.Publisher {
    Output?.Publisher(sequence.indices.contains(index) ? sequence[index] : nil)
  }
}
