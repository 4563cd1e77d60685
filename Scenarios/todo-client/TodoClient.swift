import ScenarioKit

// region: client
/// The API as one typed client: each call is a publisher of the value it asks for.
struct TodoClient {
  let base: URL
  let session: URLSession

  func signUp(_ user: NewUser) -> AnyPublisher<User, any Error> {
    send(.post, "users", body: user)
  }

  func logIn(
    email: String, password: String, lifetime: Int? = nil
  ) -> AnyPublisher<Token, any Error> {
    // note: Basic: name and password, in Base64. That hides nothing: only TLS does.
    let credentials = Data("\(email):\(password)".utf8).base64EncodedString()
    let query = lifetime.map { "?expiresIn=\($0)" } ?? ""
    return send(.post, "login\(query)", authorization: "Basic \(credentials)")
  }

  func post(_ todo: NewTodo, token: String) -> AnyPublisher<Todo, any Error> {
    send(.post, "todos", authorization: "Bearer \(token)", body: todo)
  }

  func todos(token: String) -> AnyPublisher<[Todo], any Error> {
    send(.get, "todos", authorization: "Bearer \(token)")
  }

  func delete(_ id: Todo.ID, token: String) -> AnyPublisher<Todo, any Error> {
    send(.delete, "todos/\(id)", authorization: "Bearer \(token)")
  }
}
// endregion

// region: send
extension TodoClient {
  private func send<Response: Decodable>(
    _ method: HTTPMethod, _ path: String, authorization: String? = nil,
    body: (any Encodable)? = nil
  ) -> AnyPublisher<Response, any Error> {
    // note: What throws while the request is made becomes a failure of the publisher, so that
    //   nobody has to write `try?` and lose the reason.
    Result {
      try request(method, path, authorization: authorization, body: body)
    }
    .publisher
    .flatMap { request in
      session.dataTaskPublisher(for: request).mapError { $0 as any Error }
    }
    .tryMap(validate)
    .decode(type: Response.self, decoder: JSONDecoder())
    .eraseToAnyPublisher()
  }

  private func request(
    _ method: HTTPMethod, _ path: String, authorization: String?, body: (any Encodable)?
  ) throws -> URLRequest {
    guard let url = URL(string: "\(base.absoluteString)/\(path)") else {
      throw APIError.invalidURL
    }
    var request = URLRequest(url: url)
    request.httpMethod = method.rawValue
    request.setValue(authorization, forHTTPHeaderField: "Authorization")
    if let body {
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    return request
  }

  // note: A status is an answer like any other until somebody throws.
  private func validate(_ data: Data, _ response: URLResponse) throws -> Data {
    guard let response = response as? HTTPURLResponse else { throw APIError.invalidResponse }
    guard (200..<300).contains(response.statusCode) else {
      // note: What the server says is worth more than its number.
      let refusal = try? JSONDecoder().decode(Refusal.self, from: data)
      throw APIError.refused(status: response.statusCode, reason: refusal?.reason)
    }
    return data
  }
}
// endregion
