import StreamsFoundation

enum Status: Error { case busy, notFound }

/// The page, on the second try at the latest, if a second try makes sense.
func page(_ request: some Publisher<String, Status>) -> some Publisher<String, Status> {
  request
    // Change only this.
    .catch {
      $0 == .notFound ? request.eraseToAnyPublisher() : Fail(error: $0).eraseToAnyPublisher()
    }
}
