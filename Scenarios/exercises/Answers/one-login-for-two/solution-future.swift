import StreamsFoundation

/// Hands out tokens.
final class Tokens {
  private let login: AnyPublisher<String, Never>

  init(login: AnyPublisher<String, Never>) { self.login = login }

  // Change only this.
  private var renewal: Future<String, Never>?
  private var subscription: AnyCancellable?

  func token() -> AnyPublisher<String, Never> {
    if renewal == nil {
      renewal = Future { [self] promise in
        subscription = login.sink { [self] token in
          renewal = nil
          promise(.success(token))
        }
      }
    }
    return renewal!.eraseToAnyPublisher()
  }
}
