import StreamsFoundation

nonisolated(unsafe) var kept: [Any] = []

/// Delivers the headline to two readers, with one subscription.
func deliver(
  _ headline: some Publisher<String, Never>, to first: PassthroughSubject<String, Never>,
  and second: PassthroughSubject<String, Never>
) -> [AnyCancellable] {
  // Change only this.
  let both = PassthroughSubject<String, Never>()
  let readers = [both.subscribe(first), both.subscribe(second)]
  kept.append((both, headline.subscribe(both)))
  return readers
}
