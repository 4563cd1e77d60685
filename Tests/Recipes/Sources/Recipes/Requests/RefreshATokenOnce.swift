import StreamsFoundation

// region: recipe
/// Sends requests with a token. If the server rejects the token, it's refreshed once for all of
/// them, and each is sent once more.
final class TokenSession: @unchecked Sendable {
  typealias Refresh = @Sendable (_ rejected: String) -> AnyPublisher<String, any Error>

  private let session: URLSession
  private let refresh: Refresh
  // The lock guards these two. It isn't held while a refresh starts or ends.
  private let lock = NSLock()
  private var token: String
  private var refreshing: CurrentValueSubject<String?, any Error>?

  /// - Parameter refresh: Asks for a new token, without this object: it would wait for itself.
  init(token: String, session: URLSession, refresh: @escaping Refresh) {
    (self.token, self.session, self.refresh) = (token, session, refresh)
  }

  /// Loads data. Fails with `URLError.userAuthenticationRequired` if the server rejects the new
  /// token too, with `URLError.badServerResponse` for another status than 2xx, and with the error
  /// of the refresh if that fails.
  func data(for request: URLRequest) -> AnyPublisher<Data, any Error> {
    Deferred { self.token(after: nil) }
      .flatMap { token in
        self.load(request, token).tryCatch { error in
          guard (error as? URLError)?.code == .userAuthenticationRequired else { throw error }
          return self.token(after: token).flatMap { self.load(request, $0) }
        }
      }
      .eraseToAnyPublisher()
  }

  private func load(_ request: URLRequest, _ token: String) -> some Publisher<Data, any Error> {
    var request = request
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return session.dataTaskPublisher(for: request).tryMap { data, response in
      switch (response as? HTTPURLResponse)?.statusCode ?? 0 {
      case 200..<300: return data
      case 401: throw URLError(.userAuthenticationRequired)
      default: throw URLError(.badServerResponse)
      }
    }
  }

  /// The token, or the next one if this one is rejected or being refreshed.
  private func token(after rejected: String?) -> AnyPublisher<String, any Error> {
    let (next, isNew) = lock.withLock {
      if let refreshing { return (refreshing, false) }
      let next = CurrentValueSubject<String?, any Error>(token == rejected ? nil : token)
      if token == rejected { refreshing = next }
      return (next, token == rejected)
    }
    if isNew, let rejected {
      let noToken = Fail<String, any Error>(error: URLError(.userAuthenticationRequired))
      let sink = Subscribers.Sink<String, any Error> { completion in
        guard case .failure = completion else { return }
        self.lock.withLock { self.refreshing = nil }
        next.send(completion: completion)
      } receiveValue: { token in
        self.lock.withLock { (self.token, self.refreshing) = (token, nil) }
        next.send(token)
      }
      refresh(rejected).append(noToken).first().subscribe(sink)
    }
    return next.compactMap(\.self).first().eraseToAnyPublisher()
  }
}
// endregion
