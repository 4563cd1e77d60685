import StreamsFoundation

// region: recipe
extension Publisher {
  /// Asks again at an interval until a value is done, and publishes that value. Asks for the first
  /// time at once. While a request is running, it makes no other.
  ///
  /// - Parameters:
  ///   - interval: The time between two requests, in seconds.
  ///   - limit: How many requests it makes, at most.
  ///   - error: The failure if none of them brings a value that's done.
  ///   - isDone: Whether there's nothing more to wait for.
  func poll(
    every interval: TimeInterval, limit: Int, orFail error: Failure,
    until isDone: @escaping (Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    Timer.publish(every: interval, on: .main, in: .common)
      .autoconnect()
      .map { _ in }
      .prepend(())
      .prefix(limit)
      .setFailureType(to: Failure.self)
      .flatMap(maxPublishers: .max(1)) { self }
      .append(Fail(error: error))
      .first(where: isDone)
      .eraseToAnyPublisher()
  }
}
// endregion
