import StreamsFoundation

/// Shows the pages of a book, of which it has only a few in memory.
final class Reader: Subscriber {
  private let show: (String) -> Void
  private var subscription: (any Subscription)?
  private var pages: [String] = []
  private var room = 2

  init(show: @escaping (String) -> Void) { self.show = show }

  // Change only these two functions.
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(4))
  }

  func turnPage() {
    room += 1
    flush()
  }

  private func flush() {
    while room > 0, !pages.isEmpty {
      room -= 1
      show(pages.removeFirst())
    }
  }

  func receive(_ page: String) -> Subscribers.Demand {
    pages.append(page)
    flush()
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
