import StreamsFoundation

// region: recipe
/// What the list below a search field shows.
enum SearchState: Equatable {
  case idle, searching, failed
  case found([String])
}

/// Searches when the user pauses, and shows the results for the latest query after a pause only.
///
/// - Parameters:
///   - queries: The text of the search field, each time it changes.
///   - pause: How long the text has to stay the same, in seconds.
///   - scheduler: Where the pause is measured and states are published: the main queue in an app.
///   - search: Makes the request for a query that isn't empty.
func searchStates<Context: Scheduler>(
  for queries: some Publisher<String, Never>, pause: Double = 0.3, scheduler: Context,
  search: @escaping (String) -> AnyPublisher<[String], URLError>
) -> AnyPublisher<SearchState, Never> {
  queries
    .map { $0.trimmingCharacters(in: .whitespaces) }
    .debounce(for: .seconds(pause), scheduler: scheduler)
    .removeDuplicates()
    .map { query -> AnyPublisher<SearchState, Never> in
      guard !query.isEmpty else { return Just(.idle).eraseToAnyPublisher() }
      // The failure is handled here, because it would end the whole stream further down.
      return search(query)
        .map { SearchState.found($0) }
        .replaceEmpty(with: .found([]))
        .replaceError(with: .failed)
        .receive(on: scheduler)
        .prepend(.searching)
        .eraseToAnyPublisher()
    }
    .switchToLatest()
    .eraseToAnyPublisher()
}
// endregion
