import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private var waiting: PassthroughSubject<String, Never>?
  private var subscription: AnyCancellable?

  func token() -> AnyPublisher<String, Never> {
    Deferred { [self] in
      if let waiting { return waiting }
      let subject = PassthroughSubject<String, Never>()
      waiting = subject
      subscription = login.sink { [self] token in
        waiting = nil
        subject.send(token)
        subject.send(completion: .finished)
      }
      return subject
    }
    .eraseToAnyPublisher()
  }
}
