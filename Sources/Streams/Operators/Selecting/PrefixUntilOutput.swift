import Synchronization

extension Publisher {
  /// Publishes values until another publisher publishes its first value, and then finishes.
  ///
  ///     ticks.prefix(untilOutputFrom: stop)
  ///
  /// The other publisher is subscribed to first, and one value is requested from it. That value
  /// cancels upstream, then the other publisher, and then the stream finishes. It doesn't matter
  /// how the other publisher ends. If its value arrives before upstream has sent a subscription,
  /// upstream is cancelled as soon as it sends one.
  ///
  /// Follows Combine's `prefix(untilOutputFrom:)`, except in that last case: Combine finishes a
  /// subscriber that has no subscription, and doesn't cancel the other publisher.
  ///
  /// The two can publish on different threads. If the other publisher's value arrives while a
  /// thread delivers a value, the second thread doesn't wait: the first one delivers the completion
  /// after its value.
  ///
  /// - Parameter publisher: The publisher whose first value ends the stream.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func prefix<P>(
    untilOutputFrom publisher: P
  ) -> Publishers.PrefixUntilOutput<Self, P> where P: Publisher {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher that finishes when another one publishes its first value; see
  /// ``Publisher/prefix(untilOutputFrom:)-(_)``.
  public struct PrefixUntilOutput<Upstream, Other>: Publisher
  where Upstream: Publisher, Other: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    @inlinable
    public init(upstream: Upstream, other: Other) {
      (self.upstream, self.other) = (upstream, other)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
      let stage = PrefixUntilOutputStage<Other.Failure, _>(downstream: subscriber)
      other.attach(TriggerStage<Other.Output, _>(stage: stage))
      upstream.attach(stage)
    }
  }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

/// The stage that receives from upstream. The gate serialises everything that goes downstream.
/// Upstream isn't called inside the gate, except by downstream.
@usableFromInline
struct PrefixUntilOutputStage<TriggerFailure: Error, Downstream: Subscriber>: TriggeredStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = PrefixUntilOutputRelay("PrefixUntilOutput", trapsOnNoDemand: false)

  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  @inlinable
  func receive(subscription: any Subscription) {
    var isFirst = false
    inside {
      // Both inside the gate, so that a cut on another thread can't finish in between.
      isFirst = relay.attach(subscription)
      if isFirst, relay.isCut.load(ordering: .relaxed) { relay.detach().upstream?.cancel() }
      if isFirst { downstream.receive(subscription: relay) }
    }
    if isFirst { finishIfCut() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    var more = Subscribers.Demand.none
    inside { if relay.isActive { more = downstream.receive(input) } }
    return more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    inside {
      let upstream = relay.isActive ? relay.detach().upstream : nil
      // Also if upstream ends too early, before its subscription. Downstream never sees that end.
      relay.trigger.cancel()
      if upstream != nil, relay.conclude() { downstream.receive(completion: completion) }
    }
  }

  /// Ends the stream.
  @inlinable
  func receiveTrigger() {
    let trigger = relay.trigger.end().upstream
    let upstream = relay.cut()
    upstream?.cancel()
    trigger?.cancel()
    if upstream != nil { finishIfCut() }
  }

  @inlinable func receiveTriggerEnd(_ completion: Subscribers.Completion<TriggerFailure>) {}

  /// Finishes a stream that was cut: here or, if another thread is inside the gate, on that thread.
  @inlinable
  func finishIfCut() {
    if relay.gate.isMine {
      finishInside()
    } else if relay.gate.enterOrLeaveNote() {
      finishInside()
      leave()
    }
  }

  @inlinable
  func finishInside() {
    if relay.conclude() { downstream.receive(completion: .finished) }
  }

  @inlinable @inline(__always)
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

/// The relay of `prefix(untilOutputFrom:)`.
@usableFromInline final class PrefixUntilOutputRelay: TriggeredRelay {
  @usableFromInline let gate = Gate()

  /// Whether the other publisher has published a value. If it did so before upstream came, the
  /// thread that attaches upstream sees this, because it has held the relay's lock since.
  @usableFromInline let isCut = Atomic<Bool>(false)

  /// Gives up upstream, now or when it comes.
  @usableFromInline
  func cut() -> SubscriptionObject? {
    isCut.store(true, ordering: .relaxed)
    return upstream == nil ? nil : detach().upstream
  }
}
