import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private var renewal: AnyPublisher<String, Never>?

  func token() -> AnyPublisher<String, Never> {
    if let renewal { return renewal }
    let shared =
      login
      .handleEvents(receiveCompletion: { [weak self] _ in self?.renewal = nil })
      .share()
      .eraseToAnyPublisher()
    renewal = shared
    return shared
  }
}
