import StreamsFoundation

/// Delivers the headline to two readers, with one subscription.
func deliver(
  _ headline: some Publisher<String, Never>, to first: PassthroughSubject<String, Never>,
  and second: PassthroughSubject<String, Never>
) -> [AnyCancellable] {
  // Change only this.
  [
    headline.sink { value in
      for reader in [first, second] {
        reader.send(value)
        reader.send(completion: .finished)
      }
    }
  ]
}
