import ScenarioKit

let scenario = Scenario(
  "decode-user", "Decode a User from the JSON of a response, and see each way it can fail.")

// region: pipeline
func decodeUser(at address: String, in world: World) {
  world.session
    // note: No request is made here. The task starts when somebody below asks for a value.
    .dataTaskPublisher(for: world.url(address))
    // note: A 500 is an answer like any other until somebody throws: this looks at the status.
    .tryMap { answer -> Data in
      guard let response = answer.response as? HTTPURLResponse, response.statusCode == 200 else {
        throw URLError(.badServerResponse)
      }
      return answer.data
    }
    // note: What the bytes do not hold is thrown here, as a `DecodingError`.
    .decode(type: User.self, decoder: JSONDecoder())
    // note: Asks for all there is, and so starts the task. It sees a `User`, or an error, never bytes.
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("user:", $0) }
    )
    // note: Whoever drops this cancels the task.
    .store(in: &world.cancellables)
}
// endregion

// region: stubs
scenario.part("The user arrives") { world in
  world.network.stub(
    .get, ada,
    responses: .json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120)))
  decodeUser(at: ada, in: world)
}

scenario.part("The server fails") { world in
  world.network.stub(
    .get, outOfOrder,
    responses: .json(#"{"reason": "out of order"}"#, status: 500, after: .milliseconds(80)))
  decodeUser(at: outOfOrder, in: world)
}

scenario.part("The answer is no user") { world in
  world.network.stub(
    .get, nameless, responses: .json(#"{"userID": "nameless"}"#, after: .milliseconds(120)))
  decodeUser(at: nameless, in: world)
}
// endregion

scenario.run()
