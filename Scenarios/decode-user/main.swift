import ScenarioKit

let scenario = Scenario(
  "decode-user", "Turn a response into a User, and see three ways in which that can fail.")

// region: pipeline
func decodeUser(from url: URL, in world: World) {
  world.session
    // note: Describes the request. It doesn't send anything yet.
    .dataTaskPublisher(for: url)
    .lane("data task")
    // note: Checks the status, and passes on the data. An error that's thrown here ends the stream.
    .tryMap { element -> Data in
      guard let response = element.response as? HTTPURLResponse, response.statusCode == 200 else {
        throw URLError(.badServerResponse)
      }
      return element.data
    }
    .lane("tryMap")
    // note: Makes a `User` from the bytes. If the JSON doesn't match, the error is a
    //   `DecodingError`.
    .decode(type: User.self, decoder: JSONDecoder())
    .lane("decode")
    // note: Subscribes, which starts the task. `sink` receives users, or one error, never
    //   bytes.
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("user:", $0) }
    )
    // note: Keeps the subscription until the part is over. The last part shows why that
    //   matters.
    .store(in: &world.cancellables)
}
// endregion

// region: arrives
scenario.part("The user arrives") { world in
  world.network.stub(.get, adaURL, responses: adaResponse)
  decodeUser(from: adaURL, in: world)
}
// endregion

// region: fails
scenario.part("The server fails") { world in
  world.network.stub(.get, outOfOrderURL, responses: outOfOrderResponse)
  decodeUser(from: outOfOrderURL, in: world)
}

scenario.part("The JSON isn't a user") { world in
  world.network.stub(.get, namelessURL, responses: namelessResponse)
  decodeUser(from: namelessURL, in: world)
}

scenario.part("The connection fails") { world in
  world.network.stub(.get, lostURL, responses: lostResponse)
  decodeUser(from: lostURL, in: world)
}
// endregion

// region: released
scenario.part("The subscription is released") { world in
  world.network.stub(.get, slowAdaURL, responses: slowAdaResponse)
  decodeUser(from: slowAdaURL, in: world)
  // note: Releases the subscription at once, as if you hadn't kept it.
  world.cancellables = []
}
// endregion

scenario.run()
