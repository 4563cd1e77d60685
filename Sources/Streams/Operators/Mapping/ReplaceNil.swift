extension Publisher {
  /// Replaces each `nil` with a value, so that the values aren't optional any more.
  ///
  ///     measurements.replaceNil(with: 0)  // 3, nil, 5 become 3, 0, 5
  ///
  /// Passes on requests, the demand that each value returns, the completion and a cancellation. To
  /// drop each `nil` instead, use ``Publisher/compactMap(_:)-(_)``. Follows Combine's
  /// `replaceNil(with:)`.
  ///
  /// - Parameter output: The value to publish instead of `nil`.
  /// - Returns: A publisher of values that aren't optional.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
