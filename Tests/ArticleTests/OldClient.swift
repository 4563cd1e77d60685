import StreamsFoundation

// The client as it was before there were publishers, and a publisher that is made of it.

// region: completion-handler
func loadOldWay(
  _ request: URLRequest, session: URLSession = URLSession.shared,
  completion: @escaping (Data?, URLResponse?, Error?) -> Void
) {
  // The session wants a `@Sendable` closure. It calls it once, and nobody else calls it.
  nonisolated(unsafe) let completion = completion
  let dataTask = session.dataTask(with: request as URLRequest) { completion($0, $1, $2) }
  dataTask.resume()
}
// endregion

// region: future
func loadAsFuture(
  _ request: URLRequest, session: URLSession = URLSession.shared
) -> Future<Book, Error> {
  let future = Future<Book, Error>.init { (promise) in
    let completion: (Data?, URLResponse?, Error?) -> Void = { (data, response, error) in
      guard let reply = response as? HTTPURLResponse else {
        promise(.failure(LibraryError.noResponse))
        return
      }
      guard (200..<300).contains(reply.statusCode) else {
        promise(.failure(LibraryError.refused(reply.statusCode)))
        return
      }
      let decoder = JSONDecoder()
      do {
        if let data = data {
          let book = try decoder.decode(Book.self, from: data)
          promise(.success(book))
        } else {
          promise(.failure(LibraryError.nothing))
        }
      } catch (let error) {
        promise(.failure(error))
      }
    }
    loadOldWay(request, session: session, completion: completion)
  }
  return future
}
// endregion
