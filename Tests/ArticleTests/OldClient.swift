import StreamsFoundation

// A client with a completion handler, and a publisher made from it.

// region: completion-handler
func loadOldWay(
  _ request: URLRequest, session: URLSession = URLSession.shared,
  completion: @escaping (Data?, URLResponse?, Error?) -> Void
) {
  // The session requires a `@Sendable` closure. It calls this one once, and nothing else calls it.
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
          // Check this first: it's the reason why there's no response.
          if let error { throw error }
          guard let data, let response else { throw LibraryError.nothing }
          return try JSONDecoder().decode(Book.self, from: check(data, response))
        })
    }
  }
}
// endregion
