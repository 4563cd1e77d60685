import Combine
import Foundation

/// A user, as the server describes it.
public struct User: Decodable, Equatable, Sendable {
  public let name: String
}

/// A screen with the profile of a user.
@MainActor public final class ProfileModel: ObservableObject {
  @Published public private(set) var title = ""
  @Published public var query = ""

  private let session: URLSession
  private var cancellables: Set<AnyCancellable> = []

  public init(session: URLSession = .shared) {
    self.session = session
    $query
      .dropFirst()
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .map { name in
        session.dataTaskPublisher(for: URL(string: "https://example.com/users/\(name)")!)
          .map(\.data)
          .decode(type: User.self, decoder: JSONDecoder())
          .map(\.name)
          .replaceError(with: "Nobody")
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in self?.title = $0 }
      .store(in: &cancellables)
  }
}
