/// How a subject has ended, kept for those who subscribe later.
@usableFromInline
struct SubjectCompletion<Failure: Error>: Sendable {
  private let kept = Locked<Subscribers.Completion<Failure>?>(nil)

  init() {}

  /// What a subject that has ended tells.
  @usableFromInline
  var value: Subscribers.Completion<Failure> { kept.withLock { $0 } ?? .finished }

  /// Ends the subject whose subscribers stand in the hub, if this is the first end.
  func end<Output>(
    _ hub: SubjectHub, with completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    // Kept before the hub is closed: who finds it closed takes what is kept.
    let isFirst = kept.withLock { kept in
      defer { kept = kept ?? completion }
      return kept == nil
    }
    guard isFirst else { return }
    hub.close()
    hub.complete(completion, output: Output.self)
  }
}

extension SubjectHub {
  /// Hands a subscriber its subscription, or tells it that the subject has ended.
  @inlinable
  @inline(__always)
  func attach<S: Subscriber>(
    _ subscriber: S, _ subscription: SubjectSubscription, _ completion: SubjectCompletion<S.Failure>
  ) {
    if attach(DownstreamConduit.make(subscriber, subscription)) {
      subscriber.receive(subscription: subscription)
      if subscription.endAttaching() { subscriber.receive(completion: completion.value) }
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion.value)
    }
  }
}
