import StreamsFoundation

struct TooSlow: Error {}

/// The response, or `TooSlow` after 100 ms.
func response(
  _ request: some Publisher<String, any Error>
) -> some Publisher<String, any Error> {
  request
    // Change only this.
    .timeout(.milliseconds(50), scheduler: DispatchQueue.main) { TooSlow() }
    .retry(2)
    .timeout(.milliseconds(120), scheduler: DispatchQueue.main) { TooSlow() }
}
