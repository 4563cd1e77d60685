import StreamsFoundation

/// Decodes each response on `work`, and passes on the results on the main queue.
func decoded(
  _ responses: some Publisher<String, Never>, on work: DispatchQueue,
  decode: @escaping (String) -> String
) -> some Publisher<String, Never> {
  responses
    // Change only this.
    .subscribe(on: work)
    .receive(on: DispatchQueue.main)
    .map(decode)
}
