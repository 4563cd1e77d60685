import StreamsFoundation

// region: recipe
extension Publisher {
  /// Publishes the value of a cache, and then this publisher's.
  ///
  /// A cached value that comes later than a fresh one is dropped. A failure counts only if the
  /// cache has nothing.
  ///
  /// - Parameter cache: Publishes the cached value, if there's one, and finishes.
  func showingFirst(_ cache: some Publisher<Output, Never>) -> AnyPublisher<Output, Failure> {
    typealias Signal = CacheSignal<Output, Failure>
    let fresh = map { Signal.fresh($0) }.catch { Just(.failed($0)) }
    return cache.map { Signal.cached($0) }
      .merge(with: fresh)
      .append(.end)
      .scan(CacheState<Output, Failure>()) { $0.after($1) }
      .compactMap(\.next)
      .setFailureType(to: Failure.self)
      .flatMap(maxPublishers: .max(1)) { $0.publisher }
      .eraseToAnyPublisher()
  }
}

private enum CacheSignal<Value, Failure: Error> {
  case cached(Value), fresh(Value), failed(Failure), end
}

private struct CacheState<Value, Failure: Error> {
  private var isFresh = false
  private var isEmpty = true
  private var failure: Failure?
  private(set) var next: Result<Value, Failure>?

  func after(_ signal: CacheSignal<Value, Failure>) -> Self {
    var state = self
    state.next = nil
    switch signal {
    case .cached(let value) where !isFresh: (state.next, state.isEmpty) = (.success(value), false)
    case .cached: break
    case .fresh(let value):
      (state.next, state.isEmpty, state.isFresh) = (.success(value), false, true)
    case .failed(let error): state.failure = error
    case .end: state.next = isEmpty ? failure.map { .failure($0) } : nil
    }
    return state
  }
}
// endregion
