import ScenarioKit

let scenario = Scenario(
  "todo-client", "Sign up, log in and post todos, with one typed client.")

// region: send
extension TodoClient {
  func send<Response: Decodable>(
    _ method: HTTPMethod, _ path: String, authorization: String? = nil,
    body: (any Encodable)? = nil
  ) -> AnyPublisher<Response, any Error> {
    // note: If making the request throws, the publisher fails with that error. Your code needs no
    //   `try` to call the client.
    Result { try makeRequest(method, path, authorization, body) }.publisher
      .flatMap { request in
        session.dataTaskPublisher(for: request).mapError { $0 as any Error }
      }
      // note: A 401 or 500 arrives as an ordinary response. This is where it turns into an error.
      .tryMap(validate)
      // note: The method that calls `send` chooses `Response` by its return type.
      .decode(type: Response.self, decoder: JSONDecoder())
      .lane("\(method) \(path)") { _ in "\(Response.self)" }
      .eraseToAnyPublisher()
  }
}
// endregion

// region: chain
func postFirstTodo(
  of ada: NewUser, password: String, with client: TodoClient
) -> some Publisher<Todo, any Error> {
  client.signUp(ada)
    // note: The login needs the account, so it starts when the sign-up has delivered its `User`.
    .flatMap { _ in client.logIn(email: ada.email, password: password) }
    // note: And the post needs the token.
    .flatMap { token in client.post(NewTodo(title: "Learn to swim"), token: token) }
}
// endregion

// region: success
scenario.part("Sign up, log in, post") { world in
  let ada = NewUser(named: world.uniqueName("ada"))
  world.show(postFirstTodo(of: ada, password: ada.password, with: world.makeClient()))
}
// endregion

// region: wrong-password
scenario.part("A wrong password") { world in
  let ada = NewUser(named: world.uniqueName("ada"))
  world.show(postFirstTodo(of: ada, password: "wrong", with: world.makeClient()))
}
// endregion

// region: old-token
scenario.part("An old token") { world in
  let client = world.makeClient()
  let ada = NewUser(named: world.uniqueName("ada"))
  let todo = NewTodo(title: "Learn patience")
  let post = client.post(todo, token: Token(string: "of yesterday"))
    // note: If `post` fails, this subscribes once to the publisher that the closure returns.
    .tryCatch { error in
      // note: Only a 401 is worth a new login. All other errors pass through.
      guard case APIError.refused(status: 401, _) = error else { throw error }
      print("logging in again:", error)
      return client.logIn(email: ada.email, password: ada.password)
        .flatMap { token in client.post(todo, token: token) }
    }
    .lane("tryCatch", describing: \.title)
  world.show(client.signUp(ada).flatMap { _ in post })
}
// endregion

scenario.run()
