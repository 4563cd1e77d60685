import StreamsFoundation

/// Washes each apple. Passes on an "x" for one that can't be washed.
func washed<E: Error>(
  _ apples: some Publisher<String, Never>, wash: @escaping (String) -> AnyPublisher<String, E>
) -> some Publisher<String, Never> {
  // Change only this.
  func clean(_ apple: String) -> AnyPublisher<String, Never> {
    wash(apple).mapError { $0 as any Error }.replaceError(with: "x").eraseToAnyPublisher()
  }
  return apples.map(clean).flatMap { $0 }
}
