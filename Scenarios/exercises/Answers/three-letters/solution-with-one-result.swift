import StreamsFoundation

/// What a search finds for each text.
func results(
  for texts: some Publisher<String, Never>,
  search: @escaping (String) -> AnyPublisher<String, Never>
) -> some Publisher<String, Never> {
  texts
    // Change only this.
    .map { text -> AnyPublisher<String, Never> in
      guard text.count >= 3 else { return Just("").eraseToAnyPublisher() }
      return search(text).prefix(1).eraseToAnyPublisher()
    }
    .switchToLatest()
    .eraseToAnyPublisher()
}
