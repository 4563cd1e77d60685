import ScenarioKit

let scenario = Scenario(
  "retry-then-fallback", "Try a failed load once more, then ask another server, then give up.")

// region: pipeline
func loadQuote(from address: String, or mirror: String = mirrorAddress, in world: World) {
  let fallbackSession = world.makeSession()
  var fallback = URLRequest(url: world.url(mirror))
  // note: How long the mirror may take, in seconds. What is given to `URLRequest`'s initializer
  //   instead, a session on Linux pays no heed to.
  fallback.timeoutInterval = 2
  let publisher = world.session
    // note: Fails when the transport fails: no connection, no answer in time. A status is no failure.
    .dataTaskPublisher(for: world.url(address))
    // note: Subscribes once more to what stands above it, which makes a second request.
    .retry(1)
    // note: Puts another publisher in the place of the error. This one makes the third request.
    .catch { [fallback] _ in fallbackSession.dataTaskPublisher(for: fallback) }
  publisher
    .sink(
      receiveCompletion: { completion in
        print("completion:", completion)
        // note: Counts what was sent, not what was answered.
        print("requests made:", world.requestCount)
      },
      receiveValue: { print("quote:", String(decoding: $0.data, as: UTF8.self)) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: outcomes
let quote = StubResponse.text("Begin at the beginning.", after: .milliseconds(100))
let lost = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))

scenario.part("The first try succeeds") { world in
  world.network.stub(.get, address, responses: quote)
  loadQuote(from: address, in: world)
}

scenario.part("The retry succeeds") { world in
  world.network.stub(.get, lostOnceAddress, responses: lost, quote)
  loadQuote(from: lostOnceAddress, in: world)
}

scenario.part("The fallback succeeds") { world in
  world.network.stub(.get, lostAddress, responses: lost, lost)
  world.network.stub(.get, mirrorAddress, responses: quote)
  loadQuote(from: lostAddress, in: world)
}

scenario.part("All three fail") { world in
  world.network.stub(.get, lostAddress, responses: lost, lost)
  world.network.stub(.get, slowMirrorAddress, responses: .failure(.timedOut, after: .seconds(2)))
  loadQuote(from: lostAddress, or: slowMirrorAddress, in: world)
}
// endregion

// region: replace-error
scenario.part("A stand-in replaces the error") { world in
  world.network.stub(.get, lostAddress, responses: lost, lost)
  world.session
    .dataTaskPublisher(for: world.url(lostAddress))
    .map { String(decoding: $0.data, as: UTF8.self) }
    .retry(1)
    // note: Puts a value in the place of the error: what follows can no longer fail.
    .replaceError(with: "No quote today.")
    .sink { print("quote:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
