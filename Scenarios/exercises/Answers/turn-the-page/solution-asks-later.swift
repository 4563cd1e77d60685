import StreamsFoundation

/// Shows the pages of a book, of which it has only a few in memory.
final class Reader: Subscriber {
  private let show: (String) -> Void
  private var subscription: (any Subscription)?

  init(show: @escaping (String) -> Void) { self.show = show }

  private var later: AnyCancellable?
  // Change only these two functions.
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    later = Just(()).receive(on: DispatchQueue.main).sink { subscription.request(.max(2)) }
  }

  func turnPage() {
    subscription?.request(.max(1))
  }

  func receive(_ page: String) -> Subscribers.Demand {
    show(page)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
