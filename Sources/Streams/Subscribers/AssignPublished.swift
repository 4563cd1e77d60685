extension Publisher where Failure == Never {
  /// Sets a ``Published`` property to each value, for as long as the property exists.
  ///
  /// - **Demand:** requests unlimited values at once.
  /// - **Completion:** ignored. The property keeps its last value and can still be set.
  /// - **Lifetime:** nothing is returned for you to keep. The subscription is cancelled when the
  ///   object with the property is released, and doesn't keep the object alive.
  /// - **Threads:** values are published on the thread that delivers them. For a class on the main
  ///   actor, put `receive(on:)` in front.
  ///
  /// ```
  /// final class Clock {
  ///   @Published var seconds = 0
  /// }
  /// let clock = Clock()
  /// [1, 2, 3].publisher.assign(to: &clock.$seconds)
  /// print(clock.seconds)
  /// // Prints "3"
  /// ```
  ///
  /// Source of the rules: Combine's `assign(to:)`.
  ///
  /// - Parameter published: The property, with `&` and `$`: `&model.$name`.
  // Disfavoured for libraries that have one of their own, as `Optional.publisher`.
  @_disfavoredOverload
  public func assign(to published: inout Published<Output>.Publisher) {
    subscribe(SubjectFeed(published.subject))
  }
}
