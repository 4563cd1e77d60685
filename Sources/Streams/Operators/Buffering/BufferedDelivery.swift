import Synchronization

/// The subscriber behind `buffer`, and the subscription that downstream sees.
///
/// Contract, in addition to that of ``RelaySubscription``:
/// - **Turns:** ``BufferingState`` decides which thread delivers. Downstream is touched by the
///   thread that has the turn only, so it needs no lock.
/// - **Outside the lock:** everything that's called, and everything that's released.
/// - **Shortcut:** with unlimited demand and an empty queue, a value passes without the lock. One
///   atomic word says whether it may, and makes it the turn. Each access to the state closes the
///   shortcut, and notes the turn if a value is passing. That thread then goes on with the state. A
///   run of values stays in the shortcut, so it costs no atomic operation per value.
/// - **Cancellation:** ends the batch that is being delivered. Nothing more comes from the
///   cancelling thread.
@usableFromInline
final class BufferedDelivery<Downstream: Subscriber>: RelaySubscription, Subscriber {
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let size: Int

  @usableFromInline
  let prefetch: Publishers.PrefetchStrategy

  @usableFromInline
  let whenFull: Publishers.BufferingStrategy<Failure>

  @usableFromInline
  let state = Locked(BufferingState<Input, Failure>())

  /// Whether downstream hasn't cancelled.
  @usableFromInline
  let isOpen = Atomic<Bool>(true)

  /// One of the words in ``BufferShortcut``. Only under the lock does it become `closed`, `joined`
  /// or, from these, `free`.
  @usableFromInline
  let shortcut = Atomic<UInt8>(BufferShortcut.closed)

  // Belongs to the thread that has the turn.
  @exclusivity(unchecked)
  @usableFromInline
  var downstream = ManualStorage<Downstream>()

  @inlinable
  init(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>, downstream: Downstream
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    super.init("Buffer", trapsOnNoDemand: false)
    self.downstream.fill(downstream)
  }

  @inlinable
  deinit { if downstream.place != nil { downstream.empty() } }

  @inlinable
  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    switch prefetch {
    case .keepFull: if size > 0 { forward(.max(size)) }
    case .byRequest: forward(.unlimited)
    }
    downstream.place?.pointee.receive(subscription: self)
    requestRefill(deliver(nil))
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard isActive else { return .none }
    if enterShortcut() {
      _ = downstream.place?.pointee.receive(input)
      return leaveShortcut(after: 1)
    }
    return receiveThroughState(input)
  }

  @inlinable
  func receiveThroughState(_ input: Input) -> Subscribers.Demand {
    switch withState({ $0.accept(input, size: size, whenFull: whenFull) }) {
    case .deliver: return deliver(input)
    case .settled: break
    case .overflow: overflow()
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard isActive, let upstream = detach() else { return }
    if withState({ $0.end(with: completion) }) { _ = deliver(nil) }
    _ = upstream
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    if withState({ $0.add(demand) }) { requestRefill(deliver(nil)) }
  }

  @usableFromInline
  override func cancel() {
    isOpen.store(false, ordering: .relaxed)
    guard let remains = withState({ $0.cancel() }) else { return }
    end()?.cancel()
    if remains.ownsDownstream { downstream.empty() }
    _ = remains
  }

  /// Enters the shortcut. If the caller does, it has the turn.
  @inlinable
  @inline(__always)
  func enterShortcut() -> Bool {
    // Read first, because an exchange that fails costs as much as one that succeeds.
    shortcut.load(ordering: .relaxed) == BufferShortcut.free
      && shortcut.compareExchange(
        expected: BufferShortcut.free, desired: BufferShortcut.taken, ordering: .acquiring
      ).exchanged
  }

  /// Leaves the shortcut. If another access to the state has come meanwhile, goes on with the
  /// state.
  ///
  /// - Parameter count: How many values were delivered.
  /// - Returns: The demand for the places that have become free.
  @inlinable
  @inline(__always)
  func leaveShortcut(after count: Int) -> Subscribers.Demand {
    let hasLeft = shortcut.compareExchange(
      expected: BufferShortcut.taken, desired: BufferShortcut.free, ordering: .releasing
    ).exchanged
    return hasLeft ? refill(for: count) : deliver(nil, after: count)
  }

  @inlinable
  @inline(__always)
  func refill(for count: Int) -> Subscribers.Demand {
    prefetch == .keepFull && isActive ? .max(count) : .none
  }

  /// Closes the shortcut, and then accesses the state.
  @inlinable
  func withState<Result>(_ body: (inout BufferingState<Input, Failure>) -> Result) -> Result {
    state.withLock { state in
      if closeShortcut() { state.isDelivering = true }
      return body(&state)
    }
  }

  /// - Returns: Whether a value is passing, so that its thread has the turn.
  @inlinable
  func closeShortcut() -> Bool {
    var old = shortcut.load(ordering: .relaxed)
    while old == BufferShortcut.free || old == BufferShortcut.taken {
      let isTaken = old == BufferShortcut.taken
      let (exchanged, current) = shortcut.compareExchange(
        expected: old, desired: isTaken ? BufferShortcut.joined : BufferShortcut.closed,
        ordering: .acquiringAndReleasing)
      if exchanged { return isTaken }
      old = current
    }
    return false
  }

  /// Says what comes next, and opens the shortcut if it's nothing. Only the thread that has the
  /// turn calls this.
  @inlinable
  func next(adding more: Subscribers.Demand) -> BufferingState<Input, Failure>.Step {
    state.withLock { state in
      let step = state.next(adding: more)
      shortcut.store(
        state.allowsShortcut(size: size) ? BufferShortcut.free : BufferShortcut.closed,
        ordering: .releasing)
      return step
    }
  }

  /// Delivers what can be delivered, and then gives up the turn.
  ///
  /// - Parameters:
  ///   - first: A value to begin with; `nil` for values from the queue only.
  ///   - delivered: How many values the caller has already delivered.
  /// - Returns: The demand for the places that have become free.
  @inlinable
  func deliver(_ first: Input?, after delivered: Int = 0) -> Subscribers.Demand {
    guard let downstream = downstream.place?.pointee else { return .none }
    var count = delivered
    var more = Subscribers.Demand.none
    if let first {
      count += 1
      more = downstream.receive(first)
    }
    while true {
      switch next(adding: more) {
      case .deliver(var batch):
        more = .none
        while isOpen.load(ordering: .relaxed), let value = batch.takeFirst() {
          count += 1
          more += downstream.receive(value)
        }
      case .complete(let completion, let dropped):
        self.downstream.empty()
        downstream.receive(completion: completion)
        _ = dropped
        return .none
      case .pause: return refill(for: count)
      case .release:
        self.downstream.empty()
        return .none
      }
    }
  }

  @inlinable
  func requestRefill(_ demand: Subscribers.Demand) {
    if demand > 0 { forward(demand) }
  }

  @usableFromInline
  func overflow() {
    guard case .customError(let makeError) = whenFull else { return }
    let error = makeError()
    detach()?.cancel()
    if withState({ $0.fail(with: error) }) { _ = deliver(nil) }
  }
}

/// The words of a buffer's shortcut.
@usableFromInline
enum BufferShortcut {
  /// Values go through the state.
  @inlinable
  static var closed: UInt8 { 0 }

  /// A value may enter.
  @inlinable
  static var free: UInt8 { 1 }

  /// A value is passing.
  @inlinable
  static var taken: UInt8 { 2 }

  /// A value is passing, and the state has been accessed since it entered.
  @inlinable
  static var joined: UInt8 { 3 }
}

extension FIFO {
  /// Takes out the first value of a batch. Nothing is appended to a batch, so the values that
  /// follow stay in their places, and aren't moved to the front.
  @inlinable
  mutating func takeFirst() -> Element? {
    guard head < places.count else { return nil }
    let first = places[head].take()
    head += 1
    return first
  }
}
