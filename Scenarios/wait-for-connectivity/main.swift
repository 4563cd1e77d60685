import ScenarioKit

let scenario = Scenario(
  "wait-for-connectivity", "Wait for a network in place of failing, but no longer than that.",
  refusesServers: "waiting for a network is modelled in the stub")

// region: load
func loadNews(with session: URLSession, in world: World) -> some Publisher<String, NewsError> {
  session
    .dataTaskPublisher(for: world.url(address))
    .map { String(decoding: $0.data, as: UTF8.self) }
    // note: The error of the transport becomes one of the program's own, so that `timeout` below can
    //   fail with another case of it.
    .mapError { NewsError.network($0) }
}
// endregion

// region: wait
scenario.part("One session fails, another one waits") { world in
  world.network.stub(.get, address, responses: news)
  world.network.isConnected = false
  connect(true, after: .seconds(1), in: world)
  show("failing", loadNews(with: world.makeSession(), in: world), in: world)
  // note: The one difference between the two.
  let patient = world.makeSession(waitsForConnectivity: true)
  show("waiting", loadNews(with: patient, in: world), in: world)
}
// endregion

// region: lost
scenario.part("A connection that is lost") { world in
  world.network.stub(.get, address, responses: news, news)
  connect(false, after: .milliseconds(60), in: world)
  connect(true, after: .seconds(1), in: world)
  let patient = world.makeSession(waitsForConnectivity: true)
  // note: Makes a second request, and that one waits.
  show("retrying", loadNews(with: patient, in: world).retry(1), in: world)
}
// endregion

// region: timeout
func loadSoon(in world: World) -> some Publisher<String, NewsError> {
  loadNews(with: world.makeSession(waitsForConnectivity: true), in: world)
    // note: How long the news may take in all: to wait for a network, and to be loaded.
    .timeout(.seconds(2), scheduler: world.clock, customError: { .tooLate })
}

scenario.part("The network is there in time") { world in
  world.network.stub(.get, address, responses: news)
  world.network.isConnected = false
  connect(true, after: .seconds(1), in: world)
  show("bounded", loadSoon(in: world), in: world)
}

scenario.part("The network is there too late") { world in
  world.network.isConnected = false
  connect(true, after: .milliseconds(2_500), in: world)
  show("bounded", loadSoon(in: world), in: world)
}
// endregion

scenario.run()
