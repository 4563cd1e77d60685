import ScenarioKit

struct User: Codable {
  let name: String
  let userID: String
}

// region: client
/// The client as it was before there were streams: it is called, and calls back once.
func load(
  _ url: URL, in session: URLSession,
  completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
) {
  session.dataTask(with: url, completionHandler: completion).resume()
}

/// What its callers do with what it hands them: a completion handler's three duties.
func user(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) throws -> User {
  if let error { throw error }
  guard let response = response as? HTTPURLResponse, (200...299).contains(response.statusCode)
  else { throw URLError(.badServerResponse) }
  return try JSONDecoder().decode(User.self, from: data ?? Data())
}
// endregion
