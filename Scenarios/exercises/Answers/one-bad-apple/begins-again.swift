import StreamsFoundation

/// Washes each apple. Passes on an "x" for one that can't be washed.
func washed<E: Error>(
  _ apples: some Publisher<String, Never>, wash: @escaping (String) -> AnyPublisher<String, E>
) -> some Publisher<String, Never> {
  // Change only this.
  apples
    .flatMap { apple in wash(apple) }
    .catch { _ in Just("x").append(apples.flatMap { wash($0).replaceError(with: "x") }) }
}
