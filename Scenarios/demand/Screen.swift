import ScenarioKit

// region: screen
/// A subscriber that asks for as many values as there's room for.
final class Screen: Subscriber {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
  }

  func receive(_ row: String) -> Subscribers.Demand {
    print("shows", row)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    print("completion:", completion)
    subscription = nil
  }

  func ask(for count: Int) { subscription?.request(.max(count)) }

  func close() {
    subscription?.cancel()
    subscription = nil
  }
}
// endregion
