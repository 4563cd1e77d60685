import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private var timer: AnyCancellable?
  private var renewal: AnyPublisher<String, Never>?

  func token() -> AnyPublisher<String, Never> {
    if let renewal { return renewal }
    let shared = login.share().eraseToAnyPublisher()
    renewal = shared
    timer = Just(()).delay(for: .milliseconds(30), scheduler: DispatchQueue.main)
      .sink { [weak self] in self?.renewal = nil }
    return shared
  }
}
