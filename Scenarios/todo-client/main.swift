import ScenarioKit

let scenario = Scenario(
  "todo-client", "Sign up, log in, and keep todos on a server, as one typed client.")

// region: success
scenario.part("Sign up, log in, post, list, delete") { world in
  let client = world.makeClient()
  let ada = NewUser(named: world.uniqueName("ada"))
  client.signUp(ada)
    // note: Each step needs what the one before it brought: the token, then the todo's number.
    .flatMap { _ in client.logIn(email: ada.email, password: ada.password) }
    .map(\.string)
    .flatMap { token in
      client.post(NewTodo(title: "Learn to swim"), token: token)
        .flatMap { _ in client.post(NewTodo(title: "Learn to fly"), token: token) }
        .flatMap { todo in client.delete(todo.id, token: token) }
        .handleEvents(receiveOutput: { print("deleted:", $0.title) })
        .flatMap { _ in client.todos(token: token) }
    }
    .sink(receiveCompletion: { print("completion:", $0) }) { print("left:", $0.map(\.title)) }
    .store(in: &world.cancellables)
}
// endregion

// region: refusals
scenario.part("A wrong password") { world in
  world.show { client, ada in client.logIn(email: ada.email, password: "wrong") }
}

scenario.part("The same user twice") { world in
  world.show { client, ada in client.signUp(ada) }
}

scenario.part("A todo that is not there") { world in
  world.show { client, ada in
    client.logIn(email: ada.email, password: ada.password)
      .flatMap { client.delete(999_999_999, token: $0.string) }
  }
}

scenario.part("A server that is out of order") { world in
  world.makeClient(at: "/out-of-order").todos(token: "any")
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
}
// endregion

// region: expired
scenario.part("An expired token") { world in
  world.show { client, ada in
    client.logIn(email: ada.email, password: ada.password, lifetime: 1)
      // note: The token is good for one second, and used after two.
      .delay(for: .seconds(2), scheduler: world.clock)
      .flatMap { client.post(NewTodo(title: "Learn patience"), token: $0.string) }
      .tryCatch { error in
        // note: One new login for a 401, and no more than one: what fails after it has failed.
        guard case APIError.refused(status: 401, _) = error else { throw error }
        print("again, since", error)
        return client.logIn(email: ada.email, password: ada.password)
          .flatMap { client.post(NewTodo(title: "Learn patience"), token: $0.string) }
      }
      .map(\.title)
  }
}
// endregion

scenario.run()
