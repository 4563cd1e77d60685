import StreamsFoundation

// The client as it was before there were publishers, and a publisher that is made of it.

// region: completion-handler
func loadOldWay(
  _ request: URLRequest, session: URLSession = URLSession.shared,
  completion: @escaping (Data?, URLResponse?, Error?) -> Void
) {
  // The session wants a `@Sendable` closure. It calls it once, and nobody else calls it.
  nonisolated(unsafe) let completion = completion
  session.dataTask(with: request) { completion($0, $1, $2) }.resume()
}
// endregion

// region: future
func loadAsFuture(
  _ request: URLRequest, session: URLSession = URLSession.shared
) -> Future<Book, Error> {
  Future { promise in
    loadOldWay(request, session: session) { data, response, error in
      promise(
        Result {
          // First of all, since it is the reason why there is no response.
          if let error { throw error }
          guard let data, let response else { throw LibraryError.nothing }
          return try JSONDecoder().decode(Book.self, from: check(data, response))
        })
    }
  }
}
// endregion
