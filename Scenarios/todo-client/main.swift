import ScenarioKit

let scenario = Scenario(
  "todo-client", "Sign up, log in and keep todos on a server, with one typed client.")

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

// region: success
scenario.part("Sign up, log in, post, list, delete") { world in
  let client = world.makeClient()
  let ada = NewUser(named: world.uniqueName("ada"))
  client.signUp(ada)
    // note: Each step needs the result of an earlier one: first the token, then the todo's ID.
    .flatMap { _ in client.logIn(email: ada.email, password: ada.password) }
    .map(\.string)
    .flatMap { token in
      client.post(NewTodo(title: "Learn to swim"), token: token)
        .flatMap { _ in client.post(NewTodo(title: "Learn to fly"), token: token) }
        .flatMap { todo in client.delete(todo.id, token: token) }
        .handleEvents(receiveOutput: { print("deleted:", $0.title) })
        .flatMap { _ in client.todos(token: token) }
    }
    .lane("left") { "\($0.count) left" }
    .sink(receiveCompletion: { print("completion:", $0) }) { print("left:", $0.map(\.title)) }
    .store(in: &world.cancellables)
}
// endregion

// region: refusals
scenario.part("A wrong password") { world in
  world.signUpAda { client, ada in client.logIn(email: ada.email, password: "wrong") }
}
// endregion

scenario.part("The same user twice") { world in
  world.signUpAda { client, ada in client.signUp(ada) }
}

scenario.part("A todo that doesn't exist") { world in
  world.signUpAda { client, ada in
    client.logIn(email: ada.email, password: ada.password)
      .flatMap { client.delete(999_999_999, token: $0.string) }
  }
}

scenario.part("The server fails") { world in
  world.makeClient(for: failingURL).todos(token: "any")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}

// region: expired
scenario.part("An expired token") { world in
  let todo = NewTodo(title: "Learn patience")
  world.signUpAda { client, ada in
    client.logIn(email: ada.email, password: ada.password, lifetime: 1)
      // note: The token is valid for one second. This waits for two.
      .delay(for: .seconds(2), scheduler: world.clock)
      .flatMap { token in
        client.post(todo, token: token.string)
          // note: If `post` fails, this subscribes once to the publisher that the closure returns.
          .tryCatch { error in
            // note: Only a 401 is worth a new login. All other errors pass through.
            guard case APIError.refused(status: 401, _) = error else { throw error }
            print("logging in again:", error)
            return client.logIn(email: ada.email, password: ada.password)
              .flatMap { client.post(todo, token: $0.string) }
          }
          .lane("tryCatch", describing: \.title)
      }
      .map(\.title)
  }
}
// endregion

scenario.run()
