import StreamsFoundation

/// Delivers the headline to two readers, with one subscription.
func deliver(
  _ headline: some Publisher<String, Never>, to first: PassthroughSubject<String, Never>,
  and second: PassthroughSubject<String, Never>
) -> [AnyCancellable] {
  // Change only this.
  let both = headline.multicast { PassthroughSubject<String, Never>() }
  var subscriptions: Set<AnyCancellable> = []
  both.subscribe(first).store(in: &subscriptions)
  both.subscribe(second).store(in: &subscriptions)
  AnyCancellable(both.connect()).store(in: &subscriptions)
  return Array(subscriptions)
}
