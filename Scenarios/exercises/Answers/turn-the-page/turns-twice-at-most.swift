import StreamsFoundation

/// Shows the pages of a book, of which it has only a few in memory.
final class Reader: Subscriber {
  private let show: (String) -> Void
  private var subscription: (any Subscription)?
  private var turns = 0

  init(show: @escaping (String) -> Void) { self.show = show }

  // Change only these two functions.
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(2))
  }

  func turnPage() {
    if turns < 2 { subscription?.request(.max(1)) }
    turns += 1
  }

  func receive(_ page: String) -> Subscribers.Demand {
    show(page)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
