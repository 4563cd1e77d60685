import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private let latest = CurrentValueSubject<String?, Never>(nil)
  private var subscription: AnyCancellable?

  func token() -> AnyPublisher<String, Never> {
    if subscription == nil { subscription = login.sink { [latest] in latest.send($0) } }
    return latest.compactMap { $0 }.first().eraseToAnyPublisher()
  }
}
