import ScenarioKit

let scenario = Scenario(
  "share-single-load", "Serve two subscribers with one request, and prove it with print().")

// region: subscribers
func subscribeTwice(to load: some Publisher<Load, URLError>, in world: World) {
  load
    .tryMap { load -> Data in
      guard load.data.count > 0 else { throw URLError(.zeroByteResource) }
      return load.data
    }
    .decode(type: User.self, decoder: JSONDecoder())
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { print("completion 1:", $0) },
      receiveValue: { print("user:", $0.userID) }
    )
    .store(in: &world.cancellables)

  load
    .map { $0.response }
    .sink(
      receiveCompletion: { print("completion 2:", $0) },
      receiveValue: { response in
        if let response = response as? HTTPURLResponse {
          print("status:", response.statusCode)
        } else {
          print("not an HTTP response")
        }
      }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: shared
func printedLoad(in world: World) -> some Publisher<Load, URLError> {
  world.session
    .dataTaskPublisher(for: url)
    .map { Load(data: $0.data, response: $0.response) }
    .print("load", to: world.console)  // (1)
}

scenario.part("With share()") { world in
  world.network.stub(.get, address, answers: answer)
  subscribeTwice(to: printedLoad(in: world).share(), in: world)  // (2)
}
// endregion

// region: unshared
scenario.part("Without share()") { world in
  world.network.stub(.get, address, answers: answer, answer)
  subscribeTwice(to: printedLoad(in: world), in: world)
}
// endregion

// region: late
scenario.part("A subscriber that comes late") { world in
  world.network.stub(.get, address, answers: answer)
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
