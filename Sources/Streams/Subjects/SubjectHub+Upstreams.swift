// The subscriptions that feed a subject (`send(subscription:)`).
extension SubjectHub {
  /// Keeps an upstream subscription until it ends or the subject is released. Only a
  /// ``FeedRelay`` tells the subject that it has ended.
  @usableFromInline
  func keep(_ upstream: any Subscription) {
    let (key, isDemanded) = notes.withLock { notes in
      (notes.upstreams.add(upstream), hasDemand.load(ordering: .relaxed))
    }
    (upstream as? FeedRelay)?.isKept(by: self, as: key)
    if isDemanded { upstream.request(.unlimited) }
  }

  /// Releases an upstream subscription that has ended.
  func forget(_ key: Int) { _ = notes.withLock { $0.upstreams.remove(key) } }

  /// Records that a subscriber has requested something. The first time, requests everything from
  /// the upstreams.
  @usableFromInline
  func noteDemand() {
    guard !hasDemand.load(ordering: .relaxed) else { return }
    let upstreams = notes.withLock { notes in
      hasDemand.exchange(true, ordering: .relaxed) ? [] : notes.upstreams.all
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  /// Cancels the upstream subscriptions. The subject calls this in its `deinit`.
  @usableFromInline
  func cancelUpstreams() {
    for upstream in notes.withLock({ $0.upstreams.removeAll() }) { upstream.cancel() }
  }
}

/// Objects in the order in which they came. Each has a key, so removing one needs no search.
struct Arrivals<Element> {
  private var elements: [Int: Element] = [:]
  private var nextKey = 0

  /// The objects in the order in which they came.
  var all: [Element] { elements.sorted { $0.key < $1.key }.map(\.value) }

  /// Adds an object.
  ///
  /// - Returns: Its key.
  mutating func add(_ element: Element) -> Int {
    defer { nextKey += 1 }
    elements[nextKey] = element
    return nextKey
  }

  /// Removes an object, for the caller to release.
  mutating func remove(_ key: Int) -> Element? { elements.removeValue(forKey: key) }

  /// Removes all objects, for the caller to release.
  mutating func removeAll() -> [Element] {
    defer { elements = [:] }
    return all
  }
}
