import Synchronization

extension Publisher {
  /// Drops values until another publisher publishes its first value, and publishes all later ones.
  ///
  ///     moves.drop(untilOutputFrom: start)
  ///
  /// Downstream gets its subscription first. Then the other publisher is subscribed to, and one
  /// value is requested from it. Upstream comes last. If the other publisher ends before its first
  /// value, upstream is cancelled and the stream ends in the same way. After its first value, it
  /// doesn't matter how the other publisher ends. Its subscription is kept until the end of the
  /// stream, and cancelled then.
  ///
  /// A dropped value uses up demand: a subscriber that requests three values may get fewer. Request
  /// without limit, or put `buffer` behind it.
  ///
  /// The two can publish on different threads. Values are delivered on upstream's thread.
  ///
  /// Follows Combine's `drop(untilOutputFrom:)`. But if the other publisher ends before upstream
  /// has sent a subscription, that subscription is cancelled. And Combine never cancels the other
  /// publisher once it has published.
  ///
  /// - Parameter publisher: The publisher whose first value lets upstream's values pass.
  /// - Returns: A publisher that passes demand on unchanged.
  @inlinable
  public func drop<P>(
    untilOutputFrom publisher: P
  ) -> Publishers.DropUntilOutput<Self, P> where P: Publisher, Failure == P.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// A publisher that drops values until another one publishes its first value; see
  /// ``Publisher/drop(untilOutputFrom:)-(_)``.
  public struct DropUntilOutput<Upstream, Other>: Publisher
  where Upstream: Publisher, Other: Publisher, Upstream.Failure == Other.Failure {
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
      let stage = DropUntilOutputStage(downstream: subscriber)
      subscriber.receive(subscription: stage.relay)
      other.attach(TriggerStage<Other.Output, _>(stage: stage))
      upstream.attach(stage)
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

/// The stage that receives from upstream.
///
/// It needs no gate. Downstream has its subscription before either publisher is subscribed to.
/// Until the first value of the other publisher, only an end can be delivered, and the relay lets a
/// single one pass. After that value, only upstream delivers.
@usableFromInline
struct DropUntilOutputStage<Downstream: Subscriber>: TriggeredStage, TransparentStage {
  @usableFromInline let downstream: Downstream
  @usableFromInline let relay = DropUntilOutputRelay("DropUntilOutput", trapsOnNoDemand: false)

  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  // Yes, whatever downstream does: it has its subscription already.
  @inlinable static var _requestsLast: _Hint<Bool> { .yes }

  @inlinable func receive(subscription: any Subscription) { relay.attachLate(subscription) }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard !relay.isOver, relay.isOpen.load(ordering: .acquiring) else { return .none }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard relay.detach().isFirst else { return }
    relay.trigger.cancel()
    if relay.conclude() { downstream.receive(completion: completion) }
  }

  @inlinable func receiveTrigger() { relay.isOpen.store(true, ordering: .releasing) }

  // Without a value, the end of the other publisher ends the stream.
  @inlinable
  func receiveTriggerEnd(_ completion: Subscribers.Completion<Failure>) {
    if relay.isOpen.load(ordering: .relaxed) { return }
    relay.detach().upstream?.cancel()
    if relay.conclude() { downstream.receive(completion: completion) }
  }
}

/// The relay of `drop(untilOutputFrom:)`.
@usableFromInline final class DropUntilOutputRelay: TriggeredRelay {
  /// Whether the other publisher has published a value.
  @usableFromInline let isOpen = Atomic<Bool>(false)
}
