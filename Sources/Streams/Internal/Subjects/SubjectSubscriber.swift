import Synchronization

/// The bridge by which a publisher feeds a subject.
///
/// It holds the subject weakly, while the subject keeps the bridge as its upstream subscription:
/// the subject asks through it for what it wants, and cancels it when it goes.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  private enum State {
    case awaiting
    case attached(any Subscription)
    case ended
  }

  private let state = Locked(State.awaiting)

  /// Whether it is attached; changes under the lock, and is read for each value.
  @usableFromInline
  let isAttached = Atomic<Bool>(false)

  @usableFromInline
  weak let target: Target?

  @usableFromInline
  init(_ target: Target) { self.target = target }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard case .awaiting = state else { return false }
      state = .attached(subscription)
      isAttached.store(true, ordering: .relaxed)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    guard let target else { return cancel() }
    target.send(subscription: self)
  }

  @inlinable
  func receive(_ input: Target.Output) -> Subscribers.Demand {
    if isAttached.load(ordering: .relaxed) { target?.send(input) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Target.Failure>) {
    // An end that comes before the subscription is dropped, as everywhere.
    guard isAttached.load(ordering: .relaxed), end() != nil else { return }
    target?.send(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  @usableFromInline
  func cancel() { end()?.cancel() }

  private var upstream: (any Subscription)? {
    state.withLock { state in
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }

  private func end() -> (any Subscription)? {
    state.withLock { state in
      defer { state = .ended }
      isAttached.store(false, ordering: .relaxed)
      guard case .attached(let subscription) = state else { return nil }
      return subscription
    }
  }

  @usableFromInline
  var description: String { "Subject" }

  @usableFromInline
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

  @usableFromInline
  var playgroundDescription: Any { description }
}
