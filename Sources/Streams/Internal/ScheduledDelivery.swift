import Synchronization

/// When and where a delivery goes on.
@usableFromInline
protocol Hop {
  func schedule(_ action: @escaping () -> Void)
}

/// The subscriber behind `receive(on:)` and `delay`: it takes signals at once and delivers each of
/// them by a hop of its own.
///
/// The subscription is handed on at once, and so are requests and cancellation. The gate serialises
/// the deliveries, whatever the scheduler does; the downstream is touched inside it only. Upstream
/// is never called from inside the gate.
@usableFromInline
final class ScheduledDelivery<Route: Hop, Downstream: Subscriber>: ScheduledSubscription, Subscriber
{
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let route: Route

  // Touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var downstream: Downstream?

  @inlinable
  init(name: String, route: Route, downstream: Downstream) {
    self.route = route
    self.downstream = downstream
    super.init(name)
  }

  // Behind the downstream's last request there is only the leaving of the gate.
  @inlinable
  static var _endsWithRequest: Bool { Downstream._endsWithRequest }

  @inlinable
  func receive(subscription: any Subscription) {
    guard attach(subscription) else { return }
    let wasOutside = gate.enter()
    downstream?.receive(subscription: self)
    if wasOutside { leave() }
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if acceptsSignals.load(ordering: .relaxed) { route.schedule { self.deliver(input) } }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if beginCompletion() { route.schedule { self.deliver(completion) } }
  }

  @inlinable
  func deliver(_ input: Downstream.Input) {
    let wasOutside = gate.enter()
    var more = Subscribers.Demand.none
    if isOpen.load(ordering: .relaxed), let downstream { more = downstream.receive(input) }
    if wasOutside { leave() }
    if more > 0 { request(more) }
  }

  @inlinable
  func deliver(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let wasOutside = gate.enter()
    let downstream = downstream.take()
    isOpen.store(false, ordering: .relaxed)
    downstream?.receive(completion: completion)
    if wasOutside { leave() }
  }

  @inlinable
  func leave() {
    if !gate.leaveUndisturbed() { leaveReleasing() }
  }

  /// Leaves the gate after a cancellation; released outside, a downstream may run what it likes.
  @usableFromInline
  func leaveReleasing() {
    var released: Downstream?
    gate.leave { if let downstream = downstream.take() { released = downstream } }
    _ = released
  }

  @usableFromInline
  override func releaseDownstream() {
    guard gate.enterOrDelegate() else { return }
    let released = downstream.take()
    leaveReleasing()
    _ = released
  }
}

/// The part of a ``ScheduledDelivery`` that downstream sees: whether there is an upstream, and
/// whether signals still pass.
///
/// Not generic, so that it is fast through `any Subscription`. Requests and cancellation may come
/// from any thread; nothing is called under the lock. Once a completion is on its way a cancellation
/// has no effect: what was scheduled is delivered, and the completion after it.
@usableFromInline
class ScheduledSubscription: NamedSubscription {
  private enum State {
    case awaiting
    case attached(any Subscription)
    case completing
    case ended
  }

  @usableFromInline
  final let name: String

  @usableFromInline
  final let gate = Gate()

  /// Whether signals from upstream are taken: there is a subscription, and no end.
  @usableFromInline
  final let acceptsSignals = Atomic<Bool>(false)

  /// Whether what is scheduled will be delivered.
  @usableFromInline
  final let isOpen = Atomic<Bool>(true)

  private let state = Locked(State.awaiting)

  @usableFromInline
  init(_ name: String) { self.name = name }

  /// Keeps the upstream subscription.
  ///
  /// - Returns: Whether it is the first; another is cancelled here, and nothing else is to be done.
  @usableFromInline
  final func attach(_ subscription: any Subscription) -> Bool {
    let isFirst = state.withLock { state in
      guard case .awaiting = state else { return false }
      state = .attached(subscription)
      acceptsSignals.store(true, ordering: .relaxed)
      return true
    }
    if !isFirst { subscription.cancel() }
    return isFirst
  }

  /// Lets go of upstream since it has completed.
  ///
  /// - Returns: Whether the completion is to be scheduled: it is the first end.
  @usableFromInline
  final func beginCompletion() -> Bool {
    detach(into: .completing) != nil
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    let upstream = state.withLock { state -> (any Subscription)? in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
    upstream?.request(demand)
  }

  @usableFromInline
  final func cancel() {
    guard let upstream = detach(into: .ended) else { return }
    upstream.cancel()
    releaseDownstream()
  }

  private func detach(into end: State) -> (any Subscription)? {
    state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      state = end
      acceptsSignals.store(false, ordering: .relaxed)
      if case .ended = end { isOpen.store(false, ordering: .relaxed) }
      return subscription
    }
  }

  /// Lets go of the downstream, as soon as nobody is inside the gate.
  @usableFromInline
  func releaseDownstream() {}
}
