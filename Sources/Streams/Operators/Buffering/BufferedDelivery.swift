import Synchronization

/// The subscriber behind `buffer`, and the subscription that downstream sees.
///
/// Contract, in addition to that of ``RelaySubscription``:
/// - **Turns:** ``BufferingState`` decides which thread delivers. Downstream is touched by the
///   thread that has the turn only, so it needs no lock. It isn't behind a ``Gate``, because the
///   thread that sends mustn't wait while another one works through the queue.
/// - **Outside the lock:** everything that's called, and everything that's released.
/// - **Cancellation:** ends the batch that is being delivered. Nothing more comes from the
///   cancelling thread.
@usableFromInline
final class BufferedDelivery<Downstream: Subscriber>: RelaySubscription, Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline let state = Locked(BufferingState<Input, Failure>())

  /// Whether downstream hasn't cancelled.
  @usableFromInline let isOpen = Atomic<Bool>(true)

  // Belongs to the thread that has the turn.
  @exclusivity(unchecked) @usableFromInline var downstream: Downstream?

  @inlinable
  init(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>, downstream: Downstream
  ) {
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    self.downstream = downstream
    super.init("Buffer", trapsOnNoDemand: false)
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    switch prefetch {
    case .keepFull: if size > 0 { forward(.max(size)) }
    case .byRequest: forward(.unlimited)
    }
    downstream?.receive(subscription: self)
    requestRefill(deliver(nil))
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    guard isActive else { return .none }
    switch state.withLock({ $0.accept(input, size: size, whenFull: whenFull) }) {
    case .deliver: return deliver(input)
    case .settled: break
    case .overflow: overflow()
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard isActive, let upstream = end().upstream else { return }
    if state.withLock({ $0.end(with: completion) }) { _ = deliver(nil) }
    _ = upstream
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    if state.withLock({ $0.add(demand) }) { requestRefill(deliver(nil)) }
  }

  @usableFromInline
  override func cancel() {
    isOpen.store(false, ordering: .relaxed)
    guard let remains = state.withLock({ $0.cancel() }) else { return }
    end().upstream?.cancel()
    if remains.ownsDownstream { downstream = nil }
    _ = remains
  }

  /// Delivers what can be delivered, and then gives up the turn.
  ///
  /// - Parameter first: A value to begin with; `nil` for values from the queue only.
  /// - Returns: The demand for the places that have become free.
  @inlinable
  func deliver(_ first: Input?) -> Subscribers.Demand {
    guard let downstream else { return .none }
    var count = 0
    var more = Subscribers.Demand.none
    if let first {
      count += 1
      more = downstream.receive(first)
    }
    while true {
      switch state.withLock({ $0.next(adding: more) }) {
      case .deliver(var batch):
        more = .none
        while isOpen.load(ordering: .relaxed), let value = batch.popFirst() {
          count += 1
          more += downstream.receive(value)
        }
      case .complete(let completion, let dropped):
        self.downstream = nil
        downstream.receive(completion: completion)
        _ = dropped
        return .none
      case .pause: return prefetch == .keepFull && isActive ? .max(count) : .none
      case .release:
        self.downstream = nil
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
    end().upstream?.cancel()
    if state.withLock({ $0.fail(with: error) }) { _ = deliver(nil) }
  }
}
