/// A subscription that delivers one value when it's first requested, and the completion right after
/// it. It serves `Just`, and optionals and results that have a value.
///
/// Only the emitter of ``pending`` touches downstream. After a cancellation, only the thread that
/// cleans up does.
@usableFromInline final class SingleValueSource<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline let pending: DemandCredit
  @usableFromInline let handOver: HandOver
  @usableFromInline let value: Downstream.Input

  /// The bytes of a static string, which a zero ends. Nothing has to be released with them.
  @usableFromInline let name: UnsafePointer<UInt8>

  @exclusivity(unchecked) @usableFromInline var downstream = ManualStorage<Downstream>()

  @inlinable
  init(
    name: StaticString, value: Downstream.Input, isEmitting: Bool, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    pending = DemandCredit(emitting: isEmitting)
    handOver = HandOver(isOver: isEmitting)
    self.name = name.utf8Start
    self.value = value
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  /// Attaches a subscriber to a new source. Call it where all types are known.
  @inlinable @inline(__always)
  static func attach(_ downstream: Downstream, to value: Downstream.Input, name: StaticString) {
    let emitsFromHere = Downstream._requestsLast.value
    let source = SingleValueSource(
      name: name, value: value, isEmitting: emitsFromHere,
      onRequest: { source, demand in
        unsafeDowncast(source, to: SingleValueSource.self).add(demand)
      },
      onCancel: { source in
        let source = unsafeDowncast(source, to: SingleValueSource.self)
        if source.pending.endIdle() { source.downstream.empty() }
      })
    if emitsFromHere {
      // This frame is the emitter, so a request during the call below only adds to the pending
      // demand.
      downstream.receive(subscription: source)
      if !source.pending.isUnlimited {
        source.downstream.fill(downstream)
        if source.pending.settle(1) == 0 { return }
      }
      source.emit(to: downstream)
    } else {
      source.downstream.fill(downstream)
      downstream.receive(subscription: source)
      source.handOver.end { source.emit(to: downstream) }
    }
  }

  @inlinable deinit { if downstream.place != nil { downstream.empty() } }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(self): zero values were requested: request at least one")
    guard pending.add(demand), handOver.isMine || !handOver.leaveWork(),
      let downstream = downstream.place?.pointee
    else { return }
    emit(to: downstream)
  }

  /// Delivers the value, unless the subscription has been cancelled. Only the emitter calls this.
  @inlinable
  func emit(to downstream: Downstream) {
    self.downstream.empty()
    guard !pending.isEnded else { return }
    _ = downstream.receive(value)
    if pending.end() { downstream.receive(completion: .finished) }
  }

  @usableFromInline override var description: String { String(cString: name) }
}
