import StreamsFoundation

// region: recipe
/// What a form says about one of its fields.
enum FieldState: Equatable {
  case empty, checking, valid
  case invalid(String)
}

/// A form to sign up: a name that a server checks, and a password that's typed twice.
@MainActor final class SignUpForm: ObservableObject {
  @Published var name = ""
  @Published var password = ""
  @Published var repeatedPassword = ""

  @Published private(set) var nameState = FieldState.empty
  @Published private(set) var passwordState = FieldState.empty
  @Published private(set) var repeatedState = FieldState.empty
  @Published private(set) var canSubmit = false

  /// - Parameter isFree: Asks the server whether a name is free.
  init(isFree: @escaping (String) -> AnyPublisher<Bool, URLError>) {
    $name
      .removeDuplicates()
      .map { Self.check($0, isFree) }
      .switchToLatest()
      .assign(to: &$nameState)
    $password
      .map {
        $0.isEmpty ? .empty : Self.isLongEnough($0) ? .valid : .invalid("at least 8 characters")
      }
      .assign(to: &$passwordState)
    $password.combineLatest($repeatedPassword) { password, repeated in
      repeated.isEmpty ? .empty : repeated == password ? .valid : .invalid("isn't the same")
    }
    .assign(to: &$repeatedState)
    // From the fields, and not from their states, which change one after the other.
    $nameState.combineLatest($password, $repeatedPassword)
      .map { $0 == .valid && Self.isLongEnough($1) && $1 == $2 }
      .removeDuplicates()
      .assign(to: &$canSubmit)
  }

  /// The states of the field while one name stands in it. A new name ends them.
  ///
  /// It isn't on the main actor, because `isFree` may answer on any thread.
  private nonisolated static func check(
    _ name: String, _ isFree: @escaping (String) -> AnyPublisher<Bool, URLError>
  ) -> AnyPublisher<FieldState, Never> {
    guard name.count >= 3 else {
      return Just(name.isEmpty ? .empty : .invalid("at least 3 letters")).eraseToAnyPublisher()
    }
    return Just(name)
      .delay(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .setFailureType(to: URLError.self)
      .flatMap(isFree)
      .map { $0 ? .valid : .invalid("taken") }
      .replaceError(with: .invalid("can't be checked now"))
      .receive(on: DispatchQueue.main)
      .prepend(.checking)
      .eraseToAnyPublisher()
  }

  private nonisolated static func isLongEnough(_ password: String) -> Bool { password.count >= 8 }
}
// endregion
