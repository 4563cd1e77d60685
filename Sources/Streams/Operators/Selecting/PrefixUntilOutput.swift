extension Publisher {
  /// Publishes values until another publisher publishes its first one, and ends there.
  ///
  ///     ticks.prefix(untilOutputFrom: stop)
  ///
  /// The other one is subscribed to first, and asked for one value. That value cancels upstream,
  /// then the other publisher, and then the stream finishes. How the other one ends doesn't matter.
  /// If its value comes before upstream has sent a subscription, upstream is cancelled as soon as
  /// it sends one. Source of the rules: Combine's `prefix(untilOutputFrom:)`, which in the last case
  /// finishes a subscriber that has no subscription, and doesn't cancel the other publisher.
  ///
  /// The two may publish on different threads. If one thread delivers a value while another brings
  /// the end, the second thread doesn't wait: the first one delivers the end behind its value.
  ///
  /// - Parameter publisher: The one whose first value is the end.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func prefix<P>(
    untilOutputFrom publisher: P
  ) -> Publishers.PrefixUntilOutput<Self, P> where P: Publisher {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher that ends with the first value of another one; see
  /// ``Publisher/prefix(untilOutputFrom:)-(_)``.
  public struct PrefixUntilOutput<Upstream, Other>: Publisher
  where Upstream: Publisher, Other: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The one whose first value is the end.
    public let other: Other

    /// Makes the publisher that ``Publisher/prefix(untilOutputFrom:)-(_)`` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable
    @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Input == Output, S.Failure == Failure {
      let stage = PrefixUntilOutputStage(downstream: subscriber)
      other.attach(PrefixTrigger<Other.Output, Other.Failure, _>(stage: stage))
      upstream.attach(stage)
    }
  }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

/// The stage that receives from upstream. The gate serialises what goes downstream. Upstream is
/// not called inside it, except by downstream.
@usableFromInline
struct PrefixUntilOutputStage<Downstream: Subscriber>: RelayStage {
  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let relay = PrefixUntilOutputRelay("PrefixUntilOutput", trapsOnNoDemand: false)

  @inlinable
  init(downstream: Downstream) { self.downstream = downstream }

  @inlinable
  func receive(subscription: any Subscription) {
    var isFirst = false
    inside {
      // Both at once, so that a cut on another thread can't finish in between.
      isFirst = relay.attach(subscription)
      if isFirst { downstream.receive(subscription: relay) }
    }
    if isFirst { finishIfCut() }
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    var more = Subscribers.Demand.none
    inside { if relay.isActive { more = downstream.receive(input) } }
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    inside {
      let upstream = relay.isActive ? relay.detach() : nil
      // Also for an end that comes too early, of which downstream hears nothing.
      relay.dropTrigger()?.cancel()
      if upstream != nil, relay.conclude() { downstream.receive(completion: completion) }
    }
  }

  /// Ends the stream, because the other publisher has published.
  @inlinable
  func cut() {
    let trigger = relay.dropTrigger()
    let upstream = relay.detach()
    upstream?.cancel()
    trigger?.cancel()
    if upstream != nil { finishIfCut() }
  }

  /// Finishes what is cut: here or, if another thread is inside, on that thread.
  @inlinable
  func finishIfCut() {
    if relay.gate.isMine {
      finishInside()
    } else if relay.gate.enterOrDelegate() {
      finishInside()
      leave()
    }
  }

  @inlinable
  func finishInside() {
    if relay.conclude() { downstream.receive(completion: .finished) }
  }

  @inlinable
  @inline(__always)
  func inside(_ body: () -> Void) {
    let wasOutside = relay.gate.enter()
    body()
    if wasOutside { leave() }
  }

  @inlinable
  func leave() {
    if !relay.gate.leaveUndisturbed() { relay.gate.leave { finishInside() } }
  }
}

/// The subscriber of the publisher whose first value is the end.
@usableFromInline
struct PrefixTrigger<Input, Failure: Error, Downstream: Subscriber>: Subscriber {
  @usableFromInline
  let stage: PrefixUntilOutputStage<Downstream>

  @inlinable
  init(stage: PrefixUntilOutputStage<Downstream>) { self.stage = stage }

  @inlinable
  var combineIdentifier: CombineIdentifier { stage.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    if stage.relay.keepTrigger(subscription) { subscription.request(.max(1)) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if stage.relay.awaitsTrigger { stage.cut() }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { _ = stage.relay.dropTrigger() }
}

/// The relay of `prefix(untilOutputFrom:)`: it keeps the subscription to the other publisher too.
@usableFromInline
final class PrefixUntilOutputRelay: RelaySubscription {
  private enum Trigger {
    case awaiting
    case attached(any Subscription)
    case gone
  }

  @usableFromInline
  let gate = Gate()

  private let trigger = Locked(Trigger.awaiting)

  /// Keeps the subscription to the other publisher.
  ///
  /// - Returns: Whether it is the first, and wanted; it is cancelled here otherwise.
  @usableFromInline
  func keepTrigger(_ subscription: any Subscription) -> Bool {
    let isKept = trigger.withLock { trigger in
      guard case .awaiting = trigger else { return false }
      trigger = .attached(subscription)
      return true
    }
    if !isKept { subscription.cancel() }
    return isKept
  }

  /// Whether the first value of the other publisher is still to come.
  @usableFromInline
  var awaitsTrigger: Bool {
    trigger.withLock { trigger in
      if case .attached = trigger { true } else { false }
    }
  }

  /// Lets go of the other publisher.
  ///
  /// - Returns: The subscription to it, to be cancelled or dropped.
  @usableFromInline
  func dropTrigger() -> (any Subscription)? {
    trigger.withLock { old in
      defer { old = .gone }
      guard case .attached(let subscription) = old else { return nil }
      return subscription
    }
  }

  @usableFromInline
  override func cancel() {
    super.cancel()
    dropTrigger()?.cancel()
  }
}
