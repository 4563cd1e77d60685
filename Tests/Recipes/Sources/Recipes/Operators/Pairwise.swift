import StreamsFoundation

// region: recipe
extension Publisher {
  /// Publishes each value together with the one before it. The first value alone publishes nothing.
  func pairwise() -> AnyPublisher<(previous: Output, current: Output), Failure> {
    scan((previous: Output?.none, current: Output?.none)) { ($0.current, $1) }
      .compactMap { pair in
        guard let previous = pair.previous, let current = pair.current else { return nil }
        return (previous, current)
      }
      .eraseToAnyPublisher()
  }
}
// endregion
