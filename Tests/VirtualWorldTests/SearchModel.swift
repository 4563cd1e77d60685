import Foundation
import StreamsFoundation

/// A model as an app has it: it takes no scheduler, and says `DispatchQueue.main` twice.
final class SearchModel {
  let query = PassthroughSubject<String, Never>()
  private(set) var shown: [String] = []
  private var subscription: AnyCancellable?

  init(
    session: URLSession,
    onQuery: @escaping (AnyPublisher<String, Never>) -> AnyPublisher<String, Never> = { $0 }
  ) {
    let queries = query.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .eraseToAnyPublisher()
    subscription = onQuery(queries)
      .map { query in
        session.dataTaskPublisher(for: URL(string: "https://example.com/\(query)")!)
          .map { String(decoding: $0.data, as: UTF8.self) }
          .replaceError(with: "nothing")
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] in self?.show($0) }
  }

  private func show(_ result: String) {
    // Traps if the pipeline forgets to go to the main queue.
    dispatchPrecondition(condition: .onQueue(.main))
    shown.append(result)
  }
}
