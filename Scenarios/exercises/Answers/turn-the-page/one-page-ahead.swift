import StreamsFoundation

/// Shows the pages of a book, of which it has only a few in memory.
final class Reader: Subscriber {
  private let show: (String) -> Void
  private var subscription: (any Subscription)?
  private var next: String?
  private var shown = 0

  init(show: @escaping (String) -> Void) { self.show = show }

  // Change only these two functions.
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(3))
  }

  func turnPage() {
    if let next { show(next) }
    next = nil
    subscription?.request(.max(1))
  }

  func receive(_ page: String) -> Subscribers.Demand {
    if shown < 2 { show(page) } else { next = page }
    shown += 1
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
