import ScenarioKit

struct User: Codable {
  let name: String
  let userID: String
}

// region: client
/// Loads data the old way: calls `completion` once, when the task has ended.
func loadData(
  from url: URL, in session: URLSession,
  completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
) {
  session.dataTask(with: url, completionHandler: completion).resume()
}

/// Decodes the user, or throws what went wrong: the error, the status or the JSON.
func decodeUser(data: Data?, response: URLResponse?, error: (any Error)?) throws -> User {
  if let error { throw error }
  guard let response = response as? HTTPURLResponse, (200...299).contains(response.statusCode)
  else { throw URLError(.badServerResponse) }
  return try JSONDecoder().decode(User.self, from: data ?? Data())
}
// endregion
