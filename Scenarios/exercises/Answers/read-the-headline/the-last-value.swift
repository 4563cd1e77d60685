import StreamsFoundation

/// Delivers the headline to two readers, with one subscription.
func deliver(
  _ headline: some Publisher<String, Never>, to first: PassthroughSubject<String, Never>,
  and second: PassthroughSubject<String, Never>
) -> [AnyCancellable] {
  // Change only this.
  let shared = headline.last().makeConnectable()
  let readers = [shared.subscribe(first), shared.subscribe(second)]
  return readers + [AnyCancellable(shared.connect())]
}
