import ScenarioKit

let scenario = Scenario(
  "from-handler-to-publisher",
  "Turn an old client into a stream in three ways, and count the requests.")

// region: future
func userFuture(from url: URL, in world: World) -> Future<User, any Error> {
  // note: This closure gets the promise.
  Future { promise in
    // note: The session calls the handler on a queue of its own. A promise is `Sendable`, so you
    //   may call it there.
    loadData(from: url, in: world.session) { data, response, error in
      // note: The promise fulfils the future, with a user or an error.
      promise(Result { try decodeUser(data: data, response: response, error: error) })
    }
  }
}
// endregion

// region: deferred
func deferredUser(from url: URL, in world: World) -> some Publisher<User, any Error> {
  // note: This closure makes the future.
  Deferred { userFuture(from: url, in: world) }
    .lane("Deferred") { $0.name }
}
// endregion

// region: publisher
func userPublisher(from url: URL, in world: World) -> some Publisher<User, any Error> {
  world.session
    // note: The publisher that you know from decode-user.
    .dataTaskPublisher(for: url)
    .lane("data task")
    .tryMap { try decodeUser(data: $0.data, response: $0.response, error: nil) }
}
// endregion

// region: no-subscriber
scenario.part("Without a subscriber") { world in
  world.network.stub(.get, adaURL, responses: adaResponse)
  countRequests(
    "no subscriber", in: world,
    of: [
      "Future": { _ = userFuture(from: adaURL, in: world) },
      "Deferred { Future }": { _ = deferredUser(from: adaURL, in: world) },
      "dataTaskPublisher": { _ = userPublisher(from: adaURL, in: world) },
    ])
}
// endregion

// region: subscribe
func subscribe(_ name: String, to user: some Publisher<User, any Error>, in world: World) {
  user
    .lane(name) { $0.name }
    .sink(
      receiveCompletion: { print("\(name):", $0) },
      receiveValue: { print("\(name):", $0.name) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: two
scenario.part("Two subscribers") { world in
  world.network.stub(.get, adaURL, responses: adaResponse.repeating)
  func subscribeTwice(to user: some Publisher<User, any Error>) {
    subscribe("first", to: user, in: world)
    subscribe("second", to: user, in: world)
  }
  countRequests(
    "two subscribers", in: world,
    of: [
      "Future": { subscribeTwice(to: userFuture(from: adaURL, in: world)) },
      "Deferred { Future }": { subscribeTwice(to: deferredUser(from: adaURL, in: world)) },
      "dataTaskPublisher": { subscribeTwice(to: userPublisher(from: adaURL, in: world)) },
    ])
}
// endregion

// region: retry
scenario.part("The first request is lost") { world in
  // note: Every other request is lost, so the first one of each attempt is.
  world.network.stub(.get, lostOnceURL, responses: lost, adaResponse, lost, adaResponse, lost)
  countRequests(
    "retry(1)", in: world,
    of: [
      "Deferred { Future }": {
        subscribe("result", to: deferredUser(from: lostOnceURL, in: world).retry(1), in: world)
      },
      "dataTaskPublisher": {
        subscribe("result", to: userPublisher(from: lostOnceURL, in: world).retry(1), in: world)
      },
      "Future": {
        subscribe("result", to: userFuture(from: lostOnceURL, in: world).retry(1), in: world)
      },
    ])
}
// endregion

scenario.part("Requests made") { _ in printRequestCounts() }

scenario.run()
