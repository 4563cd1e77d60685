import ScenarioKit

let scenario = Scenario(
  "wait-for-connectivity", "Wait for a connection instead of failing, but not forever.",
  refusesServers: "only the stub can model waiting for connectivity")

// region: pipeline
func loadNews(with session: URLSession) -> some Publisher<String, URLError> {
  session
    .dataTaskPublisher(for: newsURL)
    .lane("data task")
    .map { String(decoding: $0.data, as: UTF8.self) }
}
// endregion

// region: wait
scenario.part("Two sessions without a connection") { world in
  world.network.stub(.get, newsURL, responses: newsResponse)
  world.network.isConnected = false
  setConnectivity(true, at: .seconds(1), in: world)

  loadNews(with: world.makeSession())
    .sink(receiveCompletion: { print("plain:", $0) }, receiveValue: { print("plain:", $0) })
    .store(in: &world.cancellables)
  // note: The same pipeline. Only the session differs.
  loadNews(with: world.makeSession(waitsForConnectivity: true))
    .sink(receiveCompletion: { print("waiting:", $0) }, receiveValue: { print("waiting:", $0) })
    .store(in: &world.cancellables)
}
// endregion

// region: lost
scenario.part("The connection is lost") { world in
  world.network.stub(.get, newsURL, responses: newsResponse, newsResponse)
  setConnectivity(false, at: .milliseconds(60), in: world)
  setConnectivity(true, at: .seconds(1), in: world)

  loadNews(with: world.makeSession(waitsForConnectivity: true))
    .retry(1)
    .lane("retry(1)")
    .sink(receiveCompletion: { print("news:", $0) }, receiveValue: { print("news:", $0) })
    .store(in: &world.cancellables)
}
// endregion

// region: timeout
func printNewsInTime(in world: World) {
  loadNews(with: world.makeSession(waitsForConnectivity: true))
    // note: An error of your own tells "too late" from a failure of the session.
    .mapError { NewsError.network($0) }
    // note: Fails if 2 seconds pass without news.
    .timeout(.seconds(2), scheduler: world.clock, customError: { .tooLate })
    .lane("timeout")
    .sink(receiveCompletion: { print("news:", $0) }, receiveValue: { print("news:", $0) })
    .store(in: &world.cancellables)
}
// endregion

// region: late
scenario.part("A connection after 2.5 seconds") { world in
  world.network.isConnected = false
  setConnectivity(true, at: .milliseconds(2500), in: world)
  printNewsInTime(in: world)
}
// endregion

scenario.run()
