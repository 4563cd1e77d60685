import StreamsFoundation

/// The model of a search field and the list below it.
@MainActor
final class SearchModel {
  /// The text of the search field, each time it changes.
  let query = PassthroughSubject<String, Never>()

  /// The list's rows.
  let rows = CurrentValueSubject<[String], Never>([])

  private var subscription: AnyCancellable?

  init(session: URLSession) {
    subscription =
      query
      .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
      .map { query in
        session.dataTaskPublisher(for: URL(string: "https://example.com/search/\(query)")!)
          .map(\.data)
          .decode(type: [String].self, decoder: JSONDecoder())
          .replaceError(with: ["Search failed"])
      }
      .switchToLatest()
      .receive(on: DispatchQueue.main)
      .sink { [weak self] rows in self?.rows.send(rows) }
  }
}
