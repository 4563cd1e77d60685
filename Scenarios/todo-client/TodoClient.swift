import ScenarioKit

/// A typed client for the todo API. Each method returns a publisher of one value.
// region: client
struct TodoClient {
  let base: URL
  let session: URLSession
}

extension TodoClient {
  func signUp(_ user: NewUser) -> AnyPublisher<User, any Error> {
    send(.post, "users", body: user)
  }

  func logIn(email: String, password: String) -> AnyPublisher<Token, any Error> {
    // note: Base64 hides nothing. Only TLS keeps the password secret on its way.
    let credentials = Data("\(email):\(password)".utf8).base64EncodedString()
    return send(.post, "login", authorization: "Basic \(credentials)")
  }

  func post(_ todo: NewTodo, token: Token) -> AnyPublisher<Todo, any Error> {
    send(.post, "todos", authorization: "Bearer \(token.string)", body: todo)
  }
}
// endregion

// region: pieces
extension TodoClient {
  func makeRequest(
    _ method: HTTPMethod, _ path: String, _ authorization: String?, _ body: (any Encodable)?
  ) throws -> URLRequest {
    guard let url = URL(string: "\(base)/\(path)") else { throw APIError.invalidURL }
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    return request
  }

  func validate(_ data: Data, _ response: URLResponse) throws -> Data {
    guard let response = response as? HTTPURLResponse else { throw APIError.invalidResponse }
    guard (200..<300).contains(response.statusCode) else {
      // note: This API says why it refuses a request. Keep the reason: you'll want it in a log.
      let refusal = try? JSONDecoder().decode(Refusal.self, from: data)
      throw APIError.refused(status: response.statusCode, reason: refusal?.reason)
    }
    return data
  }
}
// endregion
