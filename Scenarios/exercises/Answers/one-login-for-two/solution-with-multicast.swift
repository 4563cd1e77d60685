import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private var running: AnyPublisher<String, Never>?

  func token() -> AnyPublisher<String, Never> {
    if running == nil {
      running =
        login
        .handleEvents(
          receiveCompletion: { [weak self] _ in self?.running = nil },
          receiveCancel: { [weak self] in self?.running = nil }
        )
        .multicast { PassthroughSubject() }
        .autoconnect()
        .eraseToAnyPublisher()
    }
    return running!
  }
}
