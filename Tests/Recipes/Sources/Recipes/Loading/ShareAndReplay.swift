import StreamsFoundation

// region: recipe
extension Publisher {
  /// Shares one subscription among all subscribers, and gives late ones the latest value first.
  ///
  /// Keep the result and hand it out: each call makes another one. It subscribes with its first
  /// subscriber, and cancels after its last one has left.
  func shareReplay() -> AnyPublisher<Output, Failure> {
    map(Optional.some)
      .multicast(subject: CurrentValueSubject<Output?, Failure>(nil))
      .autoconnect()
      .compactMap { $0 }
      .eraseToAnyPublisher()
  }
}
// endregion
