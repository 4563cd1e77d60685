import ScenarioKit

let scenario = Scenario(
  "share-single-load", "Serve two subscribers with one request, and prove it with print().")

// region: load
func loadUser(in world: World) -> some Publisher<PrintableResponse, URLError> {
  world.session
    .dataTaskPublisher(for: adaURL)
    .map { PrintableResponse(data: $0.data, response: $0.response) }
    // note: Writes a line for whatever passes here: the subscription, the request for values, each
    //   value, and the end or the cancellation.
    .print("load", to: world.console)
    .lane("load")
}
// endregion

// region: subscribers
func subscribeTwice(
  to load: some Publisher<PrintableResponse, URLError>, in world: World
) {
  load
    .tryMap { loaded -> Data in
      if loaded.data.isEmpty { throw URLError(.zeroByteResource) }
      return loaded.data
    }
    .decode(type: User.self, decoder: JSONDecoder())
    // note: Subscriber 1 wants the user for a view, so it receives on the main queue.
    .receive(on: DispatchQueue.main)
    .lane("user") { $0.userID }
    .sink(
      receiveCompletion: { print("completion 1:", $0) },
      receiveValue: { print("user:", $0.userID) }
    )
    .store(in: &world.cancellables)
  load
    // note: Subscriber 2 only logs the status, so any queue will do.
    .compactMap { $0.response as? HTTPURLResponse }
    .lane("status") { "\($0.statusCode)" }
    .sink(
      receiveCompletion: { print("completion 2:", $0) },
      receiveValue: { print("status:", $0.statusCode) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: shared
scenario.part("With share()") { world in
  world.network.stub(.get, adaURL, responses: adaResponse)
  // note: One publisher, made once. Both subscribers subscribe to it.
  let load = loadUser(in: world)
    .share()
    .lane("share()")
  subscribeTwice(to: load, in: world)
}
// endregion

// region: late
scenario.part("A subscriber arrives late") { world in
  world.network.stub(.get, adaURL, responses: adaResponse)
  let load = loadUser(in: world)
    .share()
  func subscribe(as name: String) {
    load
      .lane(name)
      .sink(receiveCompletion: { print("\(name):", $0) }, receiveValue: { print("\(name):", $0) })
      .store(in: &world.cancellables)
  }
  subscribe(as: "early")
  world.at(.milliseconds(500)) { subscribe(as: "late") }
}
// endregion

// region: unshared
scenario.part("Without share()") { world in
  world.network.stub(.get, adaURL, responses: adaResponse)
  subscribeTwice(to: loadUser(in: world), in: world)
}
// endregion

scenario.run()
