import StreamsFoundation

/// The body of a response with the status 200, on the second try at the latest.
func load(_ request: URLSession.DataTaskPublisher) -> some Publisher<String, any Error> {
  request
    // Change only this.
    .tryMap { try body(of: $0.data, $0.response) }
    .replaceError(with: "?")
    .setFailureType(to: (any Error).self)
}

func body(of data: Data, _ response: URLResponse) throws -> String {
  guard (response as? HTTPURLResponse)?.statusCode == 200 else {
    throw URLError(.badServerResponse)
  }
  return String(decoding: data, as: UTF8.self)
}
