import StreamsFoundation

/// Shows the pages of a book, of which it has only a few in memory.
final class Reader: Subscriber {
  private let show: (String) -> Void
  private var subscription: (any Subscription)?
  private var wanted = 2

  init(show: @escaping (String) -> Void) { self.show = show }

  // Change only these two functions.
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    ask()
  }

  func turnPage() {
    wanted += 1
    ask()
  }

  private func ask() {
    let demand = Subscribers.Demand.max(wanted)
    wanted = 0
    subscription?.request(demand)
  }

  func receive(_ page: String) -> Subscribers.Demand {
    show(page)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
