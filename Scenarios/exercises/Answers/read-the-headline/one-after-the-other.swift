import StreamsFoundation

/// Delivers the headline to two readers, with one subscription.
func deliver(
  _ headline: some Publisher<String, Never>, to first: PassthroughSubject<String, Never>,
  and second: PassthroughSubject<String, Never>
) -> [AnyCancellable] {
  // Change only this.
  [headline.subscribe(first), first.subscribe(second)]
}
