import ScenarioKit

let scenario = Scenario(
  "share-single-load", "Serve two subscribers with one request, and prove it with print().")

// region: shared
func printedLoad(in world: World) -> some Publisher<Load, URLError> {
  world.session
    .dataTaskPublisher(for: world.url(address))
    .map { Load(data: $0.data, response: $0.response) }
    // note: Prints all that passes between the data task and whoever is below.
    .print("load", to: world.console)
}

scenario.part("With share()") { world in
  world.network.stub(.get, address, responses: answer)
  // note: The one difference between the first part and the second.
  subscribeTwice(to: printedLoad(in: world).share(), in: world)
}
// endregion

// region: unshared
scenario.part("Without share()") { world in
  world.network.stub(.get, address, responses: answer, answer)
  subscribeTwice(to: printedLoad(in: world), in: world)
}
// endregion

// region: late
scenario.part("A subscriber that comes late") { world in
  world.network.stub(.get, address, responses: answer)
  let load = printedLoad(in: world).share()
  load
    .sink(
      receiveCompletion: { print("early:", $0) }, receiveValue: { print("early:", $0) }
    )
    .store(in: &world.cancellables)
  world.at(.milliseconds(500)) {
    load
      .sink(
        receiveCompletion: { print("late:", $0) }, receiveValue: { print("late:", $0) }
      )
      .store(in: &world.cancellables)
  }
}
// endregion

scenario.run()
