import StreamsFoundation

/// The body of a response with the status 200, on the second try at the latest.
func load(_ request: URLSession.DataTaskPublisher) -> some Publisher<String, any Error> {
  request
    // Change only this.
    .mapError { $0 as any Error }
    .flatMap { element in
      Result { try body(of: element.data, element.response) }.publisher
    }
    .retry(1)
    .eraseToAnyPublisher()
}

func body(of data: Data, _ response: URLResponse) throws -> String {
  guard (response as? HTTPURLResponse)?.statusCode == 200 else {
    throw URLError(.badServerResponse)
  }
  return String(decoding: data, as: UTF8.self)
}
