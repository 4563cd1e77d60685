import Synchronization

/// The junction of `flatMap`, whose publishers are made one by one, and of `merge`, whose
/// publishers are known from the start.
///
/// - Inside the gate: deliveries, and the queue of values that came without demand. A value is
///   subtracted from the demand and delivered without leaving the gate in between, so a completion
///   can't overtake it. The user's closure runs outside, where upstream delivers.
/// - Left as a note: if a request or a finish finds another thread inside, that thread flushes the
///   queue. A failure waits instead, because it has to be delivered after the value before it.
/// - Release: each publisher's subscription is taken out of the state when the publisher ends. The
///   caller that takes it out releases or cancels it, after unlocking.
/// - Depth: deeply nested junctions pass their signals through ``Trampoline``.
@usableFromInline final class MergingJunction<Downstream: Subscriber>: Junction<Downstream> {
  @usableFromInline let state = Locked(MergingState())

  /// The largest number of publishers that may be live at a time.
  @usableFromInline let maxPublishers: Subscribers.Demand

  /// The number of junctions that this one is nested in.
  @usableFromInline let depth: Int

  /// Whether signals in both directions go through ``Trampoline``. If so, values wait in the queue.
  /// Under limited demand, their publishers pause until the values have left it.
  @usableFromInline let usesTrampoline: Bool

  /// Downstream's demand. It ends when the merged stream ends. It turns unlimited, and ends, under
  /// the lock.
  @usableFromInline let credit = DemandCredit()

  /// Values that came without demand. Touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline var waiting = FIFO<(MergedChild?, Downstream.Input)>()

  /// Whether the queue is being delivered. Touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline var isFlushing = false

  @inlinable
  init(
    _ name: JunctionName, maxPublishers: Subscribers.Demand, downstream: Downstream,
    onRequest: @escaping Request, onCancel: @escaping Cancel
  ) {
    self.maxPublishers = maxPublishers
    depth = downstream._depth.value
    usesTrampoline = Trampoline.isNeeded(atDepth: depth)
    super.init(name, downstream: downstream, onRequest: onRequest, onCancel: onCancel)
  }

  @usableFromInline override var isCancelled: Bool { state.withLock { $0.isCancelled } }

  @usableFromInline override func actOnNotes() { flushInside() }

  @usableFromInline override func takeRemains() -> Any? { waiting.removeAll() }

  // MARK: From downstream

  @inlinable
  func take(_ demand: Subscribers.Demand) {
    if usesTrampoline { Trampoline.run { self.add(demand) } } else { add(demand) }
  }

  @inlinable
  func add(_ demand: Subscribers.Demand) {
    guard demand == .unlimited else {
      credit.add(demand)
      return flush()
    }
    // Under the lock, so that a publisher that is just attaching isn't missed.
    let subscriptions = state.withLock { state -> [SubscriptionObject] in
      guard credit.demand != .unlimited else { return [] }
      credit.add(.unlimited)
      return state.children.compactMap(\.subscription)
    }
    flush()
    for subscription in subscriptions { subscription.request(.unlimited) }
  }

  @inlinable
  func end() {
    let remains = end { $0.cancel() }
    if usesTrampoline { Trampoline.run { remains?.cancel() } } else { remains?.cancel() }
    releaseDownstream()
  }

  // MARK: From upstream

  @inlinable
  func attachUpstream(_ subscription: any Subscription) {
    let object = subscription._object.value
    if !state.withLock({ $0.attachUpstream(object) }) {
      subscription.cancel()
    } else if maxPublishers > 0 {
      subscription.request(maxPublishers)
    }
  }

  /// Counts a publisher that's about to be made, because making it may finish upstream.
  @inlinable @inline(__always)
  func admit() -> MergingState.Admission {
    // Read outside the closure, so that it doesn't retain this object.
    let limit = maxPublishers
    return state.withLock { $0.admit(limit: limit) }
  }

  /// Lets a value wait for a place, or for a thread that is beginning the values before it.
  ///
  /// - Parameter start: Makes the publisher and calls ``begin(_:)``. It runs when another one has
  ///   finished, on the thread that brings that finish, or on the thread that is beginning others.
  ///   If it needn't wait any more, it runs right now.
  @usableFromInline
  func putOff(_ start: @escaping () -> Void) {
    if case .now = state.withLock({ $0.putOff(start, limit: maxPublishers) }) { start() }
  }

  /// Begins the publishers of early values that have got a place. It's a loop, so many that finish
  /// at once need no stack.
  @usableFromInline
  func beginDue() {
    while let start = state.withLock({ $0.nextDue() }) { start() }
  }

  /// Merges the values of a publisher into the stream. It has been counted.
  @inlinable @inline(__always)
  func begin<P: Publisher>(_ publisher: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    if usesTrampoline { return attachOnTrampoline(publisher) }
    // Delivered without a subscription, because the difference can't be seen.
    if deliversAll(of: publisher) { childFinished() } else { attach(publisher) }
  }

  /// Delivers all values of a publisher without a subscription, if that's possible. The demand has
  /// to be unlimited, because then only the end of the stream can stop the publisher.
  @inlinable @inline(__always)
  func deliversAll<P: Publisher>(of publisher: P) -> Bool
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    guard credit.isUnlimited, !Introspection.looks(at: P.self) else { return false }
    return publisher._deliverAll(while: { !credit.isEnded }) { _ = receive($0, from: nil) }.value
  }

  /// Attaches a publisher that has been counted.
  @inlinable @inline(__always)
  func attach<P: Publisher>(_ publisher: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    publisher.attach(MergedSubscriber(junction: self, child: MergedChild()))
  }

  @usableFromInline
  func attachOnTrampoline<P: Publisher>(_ publisher: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    Trampoline.run {
      if !self.credit.isEnded { self.attach(publisher) }
    }
  }

  @inlinable
  func upstreamCompleted(_ completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .finished:
      let (isFirst, subscription) = state.withLock { $0.upstream.complete() }
      guard isFirst else { return }
      finish()
      // Released here, outside the lock.
      _ = subscription
    case .failure where usesTrampoline:
      failOnTrampoline(completion) { $0.failUpstream() }
    case .failure:
      fail(completion) { $0.failUpstream() }
    }
  }

  // MARK: From the publishers

  @inlinable
  func attach(_ subscription: any Subscription, to child: MergedChild) {
    let object = subscription._object.value
    let demand = state.withLock { state -> Subscribers.Demand? in
      guard state.attach(object, to: child) else { return nil }
      return credit.demand == .unlimited ? .unlimited : .max(1)
    }
    if let demand { subscription.request(demand) } else { subscription.cancel() }
  }

  @inlinable
  func receive(_ value: Downstream.Input, from child: MergedChild?) -> Subscribers.Demand {
    if usesTrampoline { return receiveOnTrampoline(value, from: child) }
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    var replacement = Subscribers.Demand.none
    if child?.hasEnded == true || credit.isEnded {
      // The value comes too late.
    } else if waiting.isEmpty, credit.take() {
      let more = deliver(value)
      if more > 0 { add(more) }
      if isLimited { replacement = .max(1) }
    } else {
      waiting.append((child, value))
    }
    if wasOutside { leave(as: me) }
    return replacement
  }

  /// Puts a value into the queue. The trampoline delivers it, and then requests the next one from
  /// its publisher.
  @usableFromInline
  func receiveOnTrampoline(
    _ value: Downstream.Input, from child: MergedChild?
  ) -> Subscribers.Demand {
    inside {
      if child?.hasEnded != true, !credit.isEnded { waiting.append((child, value)) }
    }
    Trampoline.run { self.flush() }
    return .none
  }

  @inlinable
  func childCompleted(
    _ child: MergedChild, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    switch completion {
    case .finished:
      guard state.withLock({ $0.remove(child) }) else { return }
      child.subscription = nil
      childFinished()
    case .failure where usesTrampoline:
      failOnTrampoline(completion) { $0.fail(child) }
    case .failure:
      fail(completion) { $0.fail(child) }
    }
  }

  @inlinable
  func childFinished() {
    let isLimited = maxPublishers != .unlimited
    switch state.withLock({ $0.finishOne(isLimited: isLimited) }) {
    case .nothing: break
    case .finish: finish()
    case .requestNext(let upstream): upstream.request(.max(1))
    case .beginDue: beginDue()
    }
  }

  /// Whether values are requested from a publisher one at a time.
  @inlinable var isLimited: Bool { credit.demand != .unlimited && !credit.isEnded }

  // MARK: To downstream

  /// Finishes if no publisher is live and no value is waiting: now or, if another thread is inside
  /// the gate, on that thread.
  @inlinable
  func finish() {
    if usesTrampoline {
      Trampoline.run { self.insideOrLater { self.finishInside() } }
    } else {
      insideOrLater { finishInside() }
    }
  }

  @inlinable
  func finishInside() {
    guard waiting.isEmpty, end({ $0.finish() }) != nil else { return }
    complete(.finished)
  }

  @inlinable
  func fail(
    _ completion: Subscribers.Completion<Downstream.Failure>,
    _ body: (inout MergingState) -> JunctionRemains?
  ) {
    guard let remains = end(body) else { return }
    remains.cancel()
    complete(completion)
  }

  /// Delivers the waiting values that there is demand for, including those from other threads, and
  /// then fails.
  @usableFromInline
  func failOnTrampoline(
    _ completion: Subscribers.Completion<Downstream.Failure>,
    _ body: @escaping (inout MergingState) -> JunctionRemains?
  ) {
    Trampoline.run {
      self.inside { if !self.waiting.isEmpty { self.flushInside() } }
      self.fail(completion, body)
    }
  }

  /// Ends the stream, if `body` says so.
  ///
  /// - Returns: The subscriptions that are left over; `nil` if this isn't the end.
  @inlinable
  func end(_ body: (inout MergingState) -> JunctionRemains?) -> JunctionRemains? {
    state.withLock { state in
      let remains = body(&state)
      if remains != nil { _ = credit.end() }
      return remains
    }
  }

  /// Delivers the waiting values that there is demand for: now or, if another thread is inside the
  /// gate, on that thread.
  @inlinable
  func flush() {
    insideOrLater { if !waiting.isEmpty { flushInside() } }
  }

  @inlinable
  func flushInside() {
    guard !isFlushing else { return }
    isFlushing = true
    while !waiting.isEmpty, credit.take(), let (child, value) = waiting.popFirst() {
      let more = deliver(value)
      if more > 0 { add(more) }
      if isLimited, let child {
        state.withLock { $0.subscription(of: child) }?.request(.max(1))
      }
    }
    isFlushing = false
    finishInside()
  }
}
