import StreamsFoundation

/// What a search finds for each text.
func results(
  for texts: some Publisher<String, Never>,
  search: @escaping (String) -> AnyPublisher<String, Never>
) -> some Publisher<String, Never> {
  // Change only this.
  Deferred {
    let shared = texts.share()
    return shared.flatMap { text in
      (text.count < 3 ? Just("").eraseToAnyPublisher() : search(text)).prefix(
        untilOutputFrom: shared)
    }
  }
}
