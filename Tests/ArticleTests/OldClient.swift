import StreamsFoundation

// The client from before publishers, and a publisher that wraps it.

// region: completion-handler
func loadOldWay(
  _ request: URLRequest, session: URLSession = URLSession.shared,
  completion: @escaping (Data?, URLResponse?, Error?) -> Void
) {
  // The session requires a `@Sendable` closure. It calls it once, and no other code does.
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
          // Check the error first, because it explains a missing response.
          if let error { throw error }
          guard let data, let response else { throw LibraryError.nothing }
          return try JSONDecoder().decode(Book.self, from: check(data, response))
        })
    }
  }
}
// endregion
