/// A subscription that delivers the elements of a sequence as they are requested.
///
/// Only the emitter of ``pending`` touches the iterator and downstream. After a cancellation, only
/// the thread that cleans up does. The iterator is one element ahead, so that the completion
/// follows the last element at once.
@usableFromInline
final class SequenceSource<Elements: Sequence, Downstream: Subscriber>: SourceSubscription
where Elements.Element == Downstream.Input {
  @usableFromInline let pending: DemandCredit
  @usableFromInline let handOver: HandOver
  @usableFromInline let sequence: Elements
  @usableFromInline let nameAfterEnd: String

  /// The position of the iterator, and the downstream to deliver to.
  @usableFromInline struct Position {
    @usableFromInline var iterator: Elements.Iterator

    @usableFromInline var next: Elements.Element

    @usableFromInline let downstream: Downstream

    @inlinable
    init(_ iterator: Elements.Iterator, _ next: Elements.Element, _ downstream: Downstream) {
      (self.iterator, self.next, self.downstream) = (iterator, next, downstream)
    }
  }

  /// Empty after the end, and if the attaching frame delivers all elements itself.
  @exclusivity(unchecked) @usableFromInline var position = ManualStorage<Position>()

  @inlinable
  init(
    sequence: Elements, nameAfterEnd: String, isEmitting: Bool, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    pending = DemandCredit(emitting: isEmitting)
    handOver = HandOver(isOver: isEmitting)
    (self.sequence, self.nameAfterEnd) = (sequence, nameAfterEnd)
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  /// Attaches a subscriber to a new source. Call it where all types are known.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - sequence: The elements to deliver.
  ///   - nameAfterEnd: The description of the subscription once the stream has ended.
  @inlinable @inline(__always)
  static func attach(
    _ downstream: Downstream, to sequence: Elements, nameAfterEnd: String = "Sequence"
  ) {
    var iterator = sequence.makeIterator()
    guard let first = iterator.next() else { return downstream.receiveEmptyStream(.finished) }
    let emitsFromHere = Downstream._requestsLast.value
    let source = SequenceSource(
      sequence: sequence, nameAfterEnd: nameAfterEnd, isEmitting: emitsFromHere,
      onRequest: { source, demand in
        unsafeDowncast(source, to: SequenceSource.self).add(demand)
      },
      onCancel: { source in
        let source = unsafeDowncast(source, to: SequenceSource.self)
        if source.pending.endIdle() { source.position.empty() }
      })
    if emitsFromHere {
      // This frame is the emitter, so a request during the call below only adds to the pending
      // demand.
      downstream.receive(subscription: source)
      if source.pending.isUnlimited {
        source.emitAll(iterator, from: first, to: downstream)
      } else {
        source.position.fill(Position(iterator, first, downstream))
        source.emit(to: downstream, settling: 1)
      }
    } else {
      source.position.fill(Position(iterator, first, downstream))
      downstream.receive(subscription: source)
      source.handOver.end { source.emit(to: downstream, settling: 0) }
    }
  }

  @inlinable deinit { if position.place != nil { position.empty() } }

  /// Delivers all elements, from the frame that attaches the subscriber.
  @inlinable @inline(__always)
  func emitAll(
    _ elements: Elements.Iterator, from first: Elements.Element, to downstream: Downstream
  ) {
    deliverAll(elements, from: first, to: downstream)
    if pending.end() { downstream.receive(completion: .finished) }
  }

  /// Delivers elements until there are none left, or the demand ends.
  @inlinable @inline(__always)
  func deliverAll(
    _ elements: Elements.Iterator, from first: Elements.Element, to downstream: Downstream
  ) {
    var iterator = elements
    var value = first
    while !pending.isEnded {
      let following = iterator.next()
      // Checked again, because the iterator may have cancelled.
      if pending.isEnded { break }
      _ = downstream.receive(value)
      guard let following else { break }
      value = following
    }
  }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    guard pending.add(demand), handOver.isMine || !handOver.leaveWork(),
      let downstream = position.place?.pointee.downstream
    else { return }
    emit(to: downstream, settling: 0)
  }

  /// Delivers elements for the pending demand. Only the emitter calls this.
  @inlinable
  func emit(to downstream: Downstream, settling held: Int) {
    var allowance = pending.settle(held)
    while allowance > 0, let place = position.place {
      if allowance == DemandCredit.unlimited {
        deliverAll(place.pointee.iterator, from: place.pointee.next, to: downstream)
        return finish(downstream)
      }
      var iterator = place.pointee.iterator
      var next = place.pointee.next
      var delivered = 0
      // The demand that downstream returns. This thread delivers it too, so it doesn't go through
      // the shared word. That would cost an atomic operation per value.
      var returned = 0
      while delivered &- returned < allowance {
        let value = next
        let following = pending.isEnded ? nil : iterator.next()
        // Checked again, because the iterator may have cancelled.
        if pending.isEnded { return position.empty() }
        let more = downstream.receive(value)
        guard let following else { return finish(downstream) }
        next = following
        delivered &+= 1
        if more > 0 {
          // The word doesn't overflow, so large numbers go there.
          if let count = more.max, count < 1 << 32, returned < 1 << 62 {
            returned &+= count
          } else {
            pending.add(more)
          }
        }
      }
      place.pointee.iterator = iterator
      place.pointee.next = next
      allowance = pending.settle(delivered &- returned)
    }
    if allowance < 0 { position.empty() }
  }

  /// Ends the stream after its last element or a cancellation. Only the emitter calls this.
  @inlinable
  func finish(_ downstream: Downstream) {
    let isFirstEnd = pending.end()
    position.empty()
    if isFirstEnd { downstream.receive(completion: .finished) }
  }

  /// The description of the sequence or, if it has none of its own, `Sequence`. After the end, the
  /// other name.
  @usableFromInline override var description: String {
    if pending.isEnded { return nameAfterEnd }
    return (sequence as? any CustomStringConvertible)?.description ?? "Sequence"
  }
}
