import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private lazy var shared = login.share().eraseToAnyPublisher()

  func token() -> AnyPublisher<String, Never> { shared }
}
