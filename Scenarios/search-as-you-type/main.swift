import ScenarioKit

let scenario = Scenario(
  "search-as-you-type", "Search while the user types, and show results for the latest query only.")
let withoutSwitch = scenario.flag(
  "without-switch", "use flatMap instead of switchToLatest, so old results can arrive last")

// region: pipeline
func search(_ typed: some Publisher<String, Never>, in world: World) {
  let searches =
    typed
    .lane("typed")
    // note: Waits for a pause: a text passes once no newer one has arrived for 300 ms.
    .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
    .lane("debounce")
    // note: Drops a query that equals the one before it.
    .removeDuplicates()
    .lane("removeDuplicates")
    // note: Turns each query into a publisher of its results. No request is sent yet.
    .map { query in
      print("search for", query)
      return loadResults(for: query, in: world)
    }

  let results =
    world.has(withoutSwitch)
    // note: Subscribes to every inner publisher, and passes on each result when it arrives.
    ? searches.flatMap { $0 }.eraseToAnyPublisher()
    // note: Subscribes to the newest inner publisher, and gives up the one before.
    : searches.switchToLatest().eraseToAnyPublisher()

  results
    .lane(world.has(withoutSwitch) ? "flatMap" : "switchToLatest")
    .receive(on: DispatchQueue.main)
    .sink { print("on screen:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: results
func loadResults(for query: String, in world: World) -> AnyPublisher<[String], Never> {
  world.session
    .dataTaskPublisher(for: searchURL(for: query))
    .map { $0.data }
    .decode(type: [String].self, decoder: JSONDecoder())
    // note: Shows an empty list if this request fails.
    .replaceError(with: [])
    .lane("results for \(query)")
    .eraseToAnyPublisher()
}
// endregion

// region: typing
scenario.part("A slow response to an old query") { world in
  world.network.stub(.get, searchURL(for: "sw"), responses: swResponse)
  world.network.stub(.get, searchURL(for: "swift"), responses: swiftResponse)
  let typed = PassthroughSubject<String, Never>()
  search(typed, in: world)
  for (time, text) in keystrokes {
    // note: Runs at that moment of virtual time, and stands in for the text field.
    world.at(time) {
      print("typed", text)
      typed.send(text)
    }
  }
}
// endregion

// region: together
scenario.part("Both responses at one instant") { world in
  world.network.stub(.get, searchURL(for: "sw"), responses: earlySwResponse)
  world.network.stub(.get, searchURL(for: "swift"), responses: swiftResponse)
  let typed = PassthroughSubject<String, Never>()
  search(typed, in: world)
  for (time, text) in keystrokes.prefix(4) {
    world.at(time) { typed.send(text) }
  }
}
// endregion

scenario.run()
