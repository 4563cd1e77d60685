import StreamsFoundation

struct TooSlow: Error {}

/// The response, or `TooSlow` after 100 ms.
func response(
  _ request: some Publisher<String, any Error>
) -> some Publisher<String, any Error> {
  request
    // Change only this.
    .catch { _ in request }
    .catch { _ in request }
    .timeout(.milliseconds(100), scheduler: DispatchQueue.main) { TooSlow() }
}
