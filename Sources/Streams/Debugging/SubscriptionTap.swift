/// Stands between a subscriber and its subscription, and tells the hooks about requests and
/// cancellations. It has the identifier and the description of the subscription.
final class SubscriptionTap: Subscription, CustomStringConvertible {
  let subscription: any Subscription

  init(_ subscription: any Subscription) { self.subscription = subscription }

  var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }
  var description: String { String(describing: subscription) }

  func request(_ demand: Subscribers.Demand) {
    Introspection.report(
      { subscription.request(demand) },
      before: { $0.willRequest(subscription: subscription, demand) },
      after: { hook, _ in hook.didRequest(subscription: subscription, demand) })
  }

  func cancel() {
    Introspection.report(
      { subscription.cancel() },
      before: { $0.willCancel(subscription: subscription) },
      after: { hook, _ in hook.didCancel(subscription: subscription) })
  }
}
