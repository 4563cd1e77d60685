import StreamsFoundation

enum Status: Error { case busy, notFound }

/// The page, on the second try at the latest, if a second try makes sense.
func page(_ request: some Publisher<String, Status>) -> some Publisher<String, Status> {
  request
    // Change only this.
    .map { Result<String, Status>.success($0) }
    .catch { error -> AnyPublisher<Result<String, Status>, Status> in
      error == .notFound
        ? Just(.failure(error)).setFailureType(to: Status.self).eraseToAnyPublisher()
        : Fail(error: error).eraseToAnyPublisher()
    }
    .retry(1)
    .flatMap { $0.publisher }
}
