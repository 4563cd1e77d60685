extension Publisher {
  /// Attaches a subscriber with the tool, or through a tap for the hooks.
  ///
  /// It isn't specialised, because each operator calls it with a tapped downstream, and that again
  /// for each operator above. The number of specialised chains would double with each operator.
  @usableFromInline @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  func attachTapped<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    if Introspection.attach(subscriber, to: self) { return }
    guard Introspection.hasHooks else { return receive(subscriber: subscriber) }
    let tapped = (subscriber as? any TappedSubscriber)?.tapped
    if let tapped = tapped as? AnySubscriber<Output, Failure> {
      reportAttaching(tapped) { receive(subscriber: subscriber) }
    } else {
      reportAttaching(subscriber) { receive(subscriber: SubscriberTap(subscriber)) }
    }
  }

  private func reportAttaching<S: Subscriber>(_ subscriber: S, attach: () -> Void)
  where S.Input == Output, S.Failure == Failure {
    Introspection.report(
      attach, before: { $0.willReceive(publisher: self, subscriber: subscriber) },
      after: { hook, _ in hook.didReceive(publisher: self, subscriber: subscriber) })
  }
}

/// Stands between a publisher and a subscriber, and tells the hooks about the signals that pass.
///
/// It looks like the subscriber: it has its identifier and description. It gives no hints except
/// the depth, because a hint would let a source deliver past it or later.
struct SubscriberTap<Tapped: Subscriber>: Subscriber, CustomStringConvertible {
  typealias Input = Tapped.Input
  typealias Failure = Tapped.Failure
  let subscriber: Tapped

  init(_ subscriber: Tapped) { self.subscriber = subscriber }

  var combineIdentifier: CombineIdentifier { subscriber.combineIdentifier }
  var description: String { String(describing: subscriber) }
  var _depth: _Hint<Int> { subscriber._depth }

  func receive(subscription: any Subscription) {
    // A stage like `map` passes on the subscription that it received. That one has a tap already.
    let tap = subscription as? SubscriptionTap ?? SubscriptionTap(subscription)
    Introspection.report(
      { subscriber.receive(subscription: tap) },
      before: { $0.willReceive(subscriber: subscriber, subscription: tap.subscription) },
      after: { hook, _ in
        hook.didReceive(subscriber: subscriber, subscription: tap.subscription)
      })
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    Introspection.report(
      { subscriber.receive(input) },
      before: { $0.willReceive(subscriber: subscriber, input: input) },
      after: { $0.didReceive(subscriber: subscriber, input: input, resultingDemand: $1) })
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    Introspection.report(
      { subscriber.receive(completion: completion) },
      before: { $0.willReceive(subscriber: subscriber, completion: completion) },
      after: { hook, _ in hook.didReceive(subscriber: subscriber, completion: completion) })
  }
}

/// A subscriber that may have a tap, so that it doesn't get a second one.
protocol TappedSubscriber {
  /// The subscriber behind the tap, as an `AnySubscriber`; `nil` if there's no tap.
  var tapped: Any? { get }
}

extension SubscriberTap: TappedSubscriber {
  var tapped: Any? { AnySubscriber(subscriber) }
}

// `AnyPublisher` hides a subscriber with its tap.
extension AnySubscriber: TappedSubscriber {
  var tapped: Any? { erased.tapped }
}
