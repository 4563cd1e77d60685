import StreamsFoundation

struct TooSlow: Error {}

/// The response, or `TooSlow` after 100 ms.
func response(
  _ request: some Publisher<String, any Error>
) -> some Publisher<String, any Error> {
  request
    // Change only this.
    .retry(2)
    .map(Optional.some)
    .merge(
      with: Just(String?.none)
        .delay(for: .milliseconds(100), scheduler: DispatchQueue.main)
        .setFailureType(to: (any Error).self)
    )
    .first()
    .tryMap { text in
      guard let text else { throw TooSlow() }
      return text
    }
}
