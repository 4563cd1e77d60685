import ScenarioKit

let scenario = Scenario(
  "connectable-delay", "Hold a request back until every subscriber is attached.")

// region: headline
func headline(in world: World) -> some Publisher<String, Never> {
  world.session
    .dataTaskPublisher(for: headlineURL)
    .lane("data task")
    .map { String(decoding: $0.data, as: UTF8.self) }
    // note: `makeConnectable()` exists only for publishers that can't fail, so handle the error
    //   first.
    .replaceError(with: "no headline")
    .share()
    .lane("share()")
}

func subscribe(_ name: String, to headline: some Publisher<String, Never>, in world: World) {
  print("\(name) subscribes")
  headline
    .lane(name)
    .sink(receiveCompletion: { print("\(name):", $0) }, receiveValue: { print("\(name):", $0) })
    .store(in: &world.cancellables)
}
// endregion

// region: connect
scenario.part("makeConnectable() and connect()") { world in
  world.network.stub(.get, headlineURL, responses: headlineResponse)
  // note: A publisher with one more method: `connect()`.
  let connectable = headline(in: world).makeConnectable()
  subscribe("first", to: connectable, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: connectable, in: world)
  }
  world.at(.milliseconds(200)) {
    print("connect")
    // note: Subscribes to the publisher above. Keep what it returns: releasing that cancels the
    //   request.
    connectable.connect().store(in: &world.cancellables)
  }
}
// endregion

// region: autoconnect
scenario.part("autoconnect()") { world in
  world.network.stub(.get, headlineURL, responses: headlineResponse)
  // note: Calls `connect()` for you, as soon as the first subscriber is attached.
  let automatic = headline(in: world).makeConnectable().autoconnect()
  subscribe("first", to: automatic, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: automatic, in: world)
  }
}
// endregion

scenario.run()
