import StreamsFoundation

struct NoUser: Error {}

/// The name of a user.
func userName(_ bodies: some Publisher<Data, URLError>) -> some Publisher<String, any Error> {
  bodies
    // Change only this.
    .mapError { $0 as any Error }
    .flatMap { body -> AnyPublisher<String, any Error> in
      body.isEmpty
        ? Fail(error: NoUser()).eraseToAnyPublisher()
        : Just(body).decode(type: String.self, decoder: JSONDecoder()).eraseToAnyPublisher()
    }
}
