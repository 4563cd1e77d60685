import Streams

extension Publisher {
  /// Publishes each value together with the one before it. The first value alone publishes nothing.
  ///
  /// ```swift
  /// readings.pairwise()
  ///   .map { $0.current - $0.previous }  // by how much each reading changed
  /// ```
  ///
  /// **Combine doesn't have it.** It's `scan` and `compactMap`, so demand, ends, cancellation and
  /// threads are theirs: a value that publishes nothing asks upstream for one more. Each subscriber
  /// begins with a pair of its own.
  ///
  /// - Returns: A publisher of pairs.
  // Disfavoured, because many have written one of their own.
  @_disfavoredOverload
  public func pairwise()
    -> Publishers.CompactMap<
      Publishers.Scan<Self, (previous: Output?, current: Output?)>,
      (previous: Output, current: Output)
    >
  {
    scan((previous: nil, current: nil)) { ($0.current, $1) }
      .compactMap { pair in
        guard let previous = pair.previous, let current = pair.current else { return nil }
        return (previous, current)
      }
  }
}
