/// A subscription that delivers one value when it is first requested, and the completion right
/// behind it: `Just`, and optionals and results that have a value.
///
/// `PendingDemand` says who may touch the downstream: the emitter, and once there is an end,
/// whoever cleans up.
@usableFromInline
final class SingleValueSource<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline
  let pending = PendingDemand(emitting: Downstream._endsWithRequest)

  @usableFromInline
  let value: Downstream.Input

  @usableFromInline
  let name: String

  @exclusivity(unchecked)
  @usableFromInline
  var downstream = Kept<Downstream>()

  @inlinable
  init(
    name: String, value: Downstream.Input, onRequest: @escaping Request, onCancel: @escaping Cancel
  ) {
    self.name = name
    self.value = value
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  /// Attaches a subscriber to a new source; to be called where all types are known.
  @inlinable
  @inline(__always)
  static func attach(_ downstream: Downstream, to value: Downstream.Input, name: String) {
    let source = SingleValueSource(
      name: name, value: value,
      onRequest: { source, demand in
        unsafeDowncast(source, to: SingleValueSource.self).add(demand)
      },
      onCancel: { source in
        let source = unsafeDowncast(source, to: SingleValueSource.self)
        if source.pending.end() == 0 { source.downstream.release() }
      })
    if Downstream._endsWithRequest {
      downstream.receive(subscription: source)
      if !source.pending.isUnlimited {
        source.downstream.keep(downstream)
        if source.pending.settle(1) == 0 { return }
      }
      source.emit(to: downstream)
    } else {
      source.downstream.keep(downstream)
      downstream.receive(subscription: source)
    }
  }

  @inlinable
  deinit { if downstream.place != nil { downstream.release() } }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    precondition(demand > 0, "\(self): a request for no value breaks the contract")
    guard pending.add(demand), let downstream = downstream.place?.pointee else { return }
    emit(to: downstream)
  }

  /// Delivers the value, unless the subscription has been cancelled. Only the emitter calls this.
  @inlinable
  func emit(to downstream: Downstream) {
    self.downstream.release()
    guard !pending.isEnded else { return }
    _ = downstream.receive(value)
    if pending.end() >= 0 { downstream.receive(completion: .finished) }
  }

  @usableFromInline
  override var description: String { name }
}

extension Subscriber {
  /// Ends a stream that has no values: that needs no demand.
  @inlinable
  func receiveEmptyStream(_ completion: Subscribers.Completion<Failure>) {
    receive(subscription: Subscriptions.empty)
    receive(completion: completion)
  }
}
