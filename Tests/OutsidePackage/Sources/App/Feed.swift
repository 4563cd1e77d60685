import StreamsFoundation

/// The server of the feed reader.
struct Feed: Sendable {
  let session: URLSession

  /// The JSON array of strings at a path. Fails if the server answers with anything else.
  func texts(_ path: String) -> AnyPublisher<[String], any Error> {
    send(URLRequest(url: url(path)))
      .decode(type: [String].self, decoder: JSONDecoder())
      .eraseToAnyPublisher()
  }

  /// Posts a text, and delivers what the server answers.
  func post(_ text: String, to path: String) -> AnyPublisher<Data, any Error> {
    var request = URLRequest(url: url(path))
    request.httpMethod = "POST"
    request.httpBody = Data(text.utf8)
    return send(request)
  }

  /// An answer that's worth reading, because its status says so.
  private func send(_ request: URLRequest) -> AnyPublisher<Data, any Error> {
    session.dataTaskPublisher(for: request)
      .tryMap { data, response in
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200, 201: return data
        case 401: throw URLError(.userAuthenticationRequired)
        default: throw URLError(.badServerResponse)
        }
      }
      .eraseToAnyPublisher()
  }

  private func url(_ path: String) -> URL { URL(string: "https://feed.example/\(path)")! }
}
