import ScenarioKit

let scenario = Scenario(
  "first-stream", "Describe work on three prices, subscribe, and see when each step runs.",
  refusesServers: "it makes no requests")

// region: described
scenario.part("Without a subscriber") { _ in
  _ = prices().map(addShipping)
  print("the end")
}
// endregion

// region: subscribed
scenario.part("With a subscriber") { world in
  prices()
    .lane("prices")
    // note: An operator. It takes one publisher and makes another.
    .map(addShipping)
    .lane("map")
    // note: Attaches a subscriber, which asks for values and hands each one to this closure.
    .sink { print("total:", $0) }
    // note: Keeps the subscription, with the object that `sink` returns. The lesson
    //   keep-it-alive shows why.
    .store(in: &world.cancellables)
  print("the end")
}
// endregion

// region: filter-map
scenario.part("First filter, then map") { world in
  prices()
    .lane("prices")
    .filter(isCheap)
    .lane("filter")
    .map(addShipping)
    .lane("map")
    .sink { print("total:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: map-filter
scenario.part("First map, then filter") { world in
  prices()
    .lane("prices")
    .map(addShipping)
    .lane("map")
    .filter(isCheap)
    .lane("filter")
    .sink { print("total:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
