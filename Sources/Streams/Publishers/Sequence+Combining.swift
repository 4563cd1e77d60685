// The elements are known, so these operators join them right away, when you call them.
extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Publishes the elements, then the given ones.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Publishes the elements, then those of another sequence, which is iterated right away.
  @inlinable
  public func append<S>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S: Sequence, Elements.Element == S.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Publishes the elements, then those of another publisher of a sequence.
  @inlinable
  public func append(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> { append(publisher.sequence) }

  /// Publishes the given elements, then those of this publisher.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Publishes the elements of another sequence, which is iterated right away, then those of this
  /// publisher.
  @inlinable
  public func prepend<S>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S: Sequence, Elements.Element == S.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Publishes the elements of another publisher of a sequence, then those of this one.
  @inlinable
  public func prepend(
    _ publisher: Publishers.Sequence<Elements, Failure>
  ) -> Publishers.Sequence<Elements, Failure> { prepend(publisher.sequence) }
}
