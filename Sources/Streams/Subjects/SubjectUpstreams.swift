import Synchronization

/// The subscriptions that feed a subject (`send(subscription:)`), in the order in which they came.
struct SubjectUpstreams {
  private var subscriptions: [Int: any Subscription] = [:]
  private var nextKey = 0

  /// The subscriptions in the order in which they came.
  var all: [any Subscription] { subscriptions.sorted { $0.key < $1.key }.map(\.value) }

  mutating func add(_ subscription: any Subscription) -> Int {
    defer { nextKey += 1 }
    subscriptions[nextKey] = subscription
    return nextKey
  }

  mutating func remove(_ key: Int) -> (any Subscription)? { subscriptions.removeValue(forKey: key) }

  mutating func removeAll() -> [any Subscription] {
    defer { subscriptions = [:] }
    return all
  }
}

extension SubjectHub {
  /// Keeps an upstream subscription until it ends or the subject is released. Only a
  /// ``SubjectBridge`` tells the subject that it has ended.
  @usableFromInline
  func keep(_ upstream: any Subscription) {
    let (key, isDemanded) = waiting.withLock { waiting in
      (waiting.upstreams.add(upstream), hasDemand.load(ordering: .relaxed))
    }
    // A bridge that has ended meanwhile gets no more requests.
    if let bridge = upstream as? SubjectBridge, !bridge.isKept(by: self, as: key) {
      forget(key)
    } else if isDemanded {
      upstream.request(.unlimited)
    }
  }

  /// Releases an upstream subscription that has ended.
  func forget(_ key: Int) { _ = waiting.withLock { $0.upstreams.remove(key) } }

  /// Records that a subscriber has requested something. The first time, requests everything from
  /// the upstreams.
  @usableFromInline
  func noteDemand() {
    guard !hasDemand.load(ordering: .relaxed) else { return }
    let upstreams = waiting.withLock { waiting in
      hasDemand.exchange(true, ordering: .relaxed) ? [] : waiting.upstreams.all
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  /// Cancels the upstream subscriptions. The subject calls this in its `deinit`.
  @usableFromInline
  func cancelUpstreams() {
    for upstream in waiting.withLock({ $0.upstreams.removeAll() }) { upstream.cancel() }
  }
}
