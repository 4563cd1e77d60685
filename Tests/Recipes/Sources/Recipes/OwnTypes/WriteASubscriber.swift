import StreamsFoundation

// region: recipe
/// A subscriber that works on a few values at a time, and asks for the next one when it's done with
/// one.
///
/// `@unchecked Sendable`: what changes is behind the lock.
final class Worker<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  private let limit: Int
  private let work: (Input, _ done: @escaping @Sendable () -> Void) -> Void
  private let lock = NSLock()
  private var subscription: (any Subscription)?
  private var isOver = false

  /// - Parameters:
  ///   - limit: How many values it works on at a time.
  ///   - work: Starts the work on a value, and calls `done` once, on any thread.
  init(limit: Int, work: @escaping (Input, _ done: @escaping @Sendable () -> Void) -> Void) {
    self.limit = limit
    self.work = work
  }

  func receive(subscription: any Subscription) {
    let isFirst = lock.withLock {
      guard self.subscription == nil, !isOver else { return false }
      self.subscription = subscription
      return true
    }
    // It was cancelled before, or has a subscription already.
    guard isFirst else { return subscription.cancel() }
    subscription.request(.max(limit))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard current != nil else { return .none }
    // The request is made outside the lock, because it may deliver a value at once.
    work(input) { [weak self] in self?.current?.request(.max(1)) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    lock.withLock { (subscription, isOver) = (nil, true) }
  }

  func cancel() {
    let subscription = lock.withLock {
      defer { (self.subscription, isOver) = (nil, true) }
      return self.subscription
    }
    subscription?.cancel()
  }

  private var current: (any Subscription)? { lock.withLock { subscription } }
}
// endregion
