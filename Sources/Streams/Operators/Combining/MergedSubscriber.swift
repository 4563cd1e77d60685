extension MergingJunction {
  /// Attaches a subscriber to publishers that are known from the start.
  ///
  /// - Parameter body: Merges them, one after another.
  @inlinable @inline(__always)
  static func merge(into subscriber: Downstream, _ body: (MergingJunction) -> Void) {
    let junction = MergingJunction(
      .merge, maxPublishers: .unlimited, downstream: subscriber,
      onRequest: { junction, demand in
        if demand > 0 { unsafeDowncast(junction, to: MergingJunction.self).take(demand) }
      },
      onCancel: { junction in unsafeDowncast(junction, to: MergingJunction.self).end() })
    junction.announce()
    // The list of publishers acts as the upstream. It finishes once the last of them is merged.
    junction.attachUpstream(Subscriptions.empty)
    body(junction)
    junction.upstreamCompleted(.finished)
  }

  /// Merges a publisher, unless the stream has ended.
  @inlinable @inline(__always)
  func merge<P: Publisher>(_ makePublisher: () -> P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    if case .now = admit() { begin(makePublisher()) }
  }
}

/// Receives the values of one of the publishers.
@usableFromInline struct MergedSubscriber<Downstream: Subscriber>: JunctionSubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let junction: MergingJunction<Downstream>
  @usableFromInline let child: MergedChild

  @inlinable
  init(junction: MergingJunction<Downstream>, child: MergedChild) {
    self.junction = junction
    self.child = child
  }

  @inlinable static var _requestsLast: _Hint<Bool> { .yes }
  @inlinable var _depth: _Hint<Int> { _Hint(junction.depth + 1) }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(child) }

  @inlinable
  func receive(subscription: any Subscription) { junction.attach(subscription, to: child) }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    junction.receive(input, from: child)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    junction.childCompleted(child, completion)
  }
}
