import StreamsFoundation

/// What a search finds for each text.
func results(
  for texts: some Publisher<String, Never>,
  search: @escaping (String) -> AnyPublisher<String, Never>
) -> some Publisher<String, Never> {
  texts
    // Change only this.
    .map { text in
      text.count < 3
        ? Just("").eraseToAnyPublisher()
        : search(text).merge(with: search(text)).first().eraseToAnyPublisher()
    }
    .switchToLatest()
}
