import ScenarioKit

let scenario = Scenario(
  "decode-user", "Decode a User from the JSON of a response, and see each way it can fail.")

// region: pipeline
func decodeUser(in world: World) {
  world.session
    .dataTaskPublisher(for: url)  // (1)
    .tryMap { element -> Data in  // (2)
      guard let response = element.response as? HTTPURLResponse, response.statusCode == 200 else {
        throw URLError(.badServerResponse)
      }
      return element.data
    }
    .decode(type: User.self, decoder: JSONDecoder())  // (3)
    .sink(  // (4)
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("user:", $0) }
    )
    .store(in: &world.cancellables)  // (5)
}
// endregion

// region: stubs
scenario.part("The user arrives") { world in
  world.network.stub(
    .get, address,
    answers: .json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120)))
  decodeUser(in: world)
}

scenario.part("The server fails") { world in
  world.network.stub(
    .get, address,
    answers: .json(#"{"reason": "out of order"}"#, status: 500, after: .milliseconds(80)))
  decodeUser(in: world)
}

scenario.part("The answer is no user") { world in
  world.network.stub(
    .get, address, answers: .json(#"{"name": "Ada Lovelace"}"#, after: .milliseconds(120)))
  decodeUser(in: world)
}
// endregion

scenario.run()
