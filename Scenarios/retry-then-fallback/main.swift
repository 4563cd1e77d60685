import ScenarioKit

let scenario = Scenario(
  "retry-then-fallback", "Try a failed request once more, then ask another server, then give up.")

// region: pipeline
func loadQuote(from url: URL, or mirror: URL = mirrorURL, in world: World) {
  let fallbackSession = world.makeSession()
  var fallbackRequest = URLRequest(url: mirror)
  // note: Gives up if the mirror sends nothing for two seconds.
  fallbackRequest.timeoutInterval = 2
  world.session
    // note: Describes the request, and fails if the connection does.
    .dataTaskPublisher(for: url)
    .lane("data task")
    // note: On a failure, subscribes again to everything above, which sends the request once more.
    .retry(1)
    .lane("retry(1)")
    // note: If that fails too, goes on with another publisher: the request to the mirror.
    .catch { _ in
      fallbackSession.dataTaskPublisher(for: fallbackRequest)
        .lane("fallback task")
    }
    .lane("catch")
    .sink(
      receiveCompletion: { completion in
        print("completion:", completion)
        // note: Counts every request that was sent, whether it got a response or not.
        print("requests made:", world.requestCount)
      },
      receiveValue: { print("quote:", String(decoding: $0.data, as: UTF8.self)) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: works
scenario.part("The first try succeeds") { world in
  world.network.stub(.get, quoteURL, responses: quoteResponse)
  loadQuote(from: quoteURL, in: world)
}

scenario.part("The retry succeeds") { world in
  world.network.stub(.get, lostOnceURL, responses: lostResponse, quoteResponse)
  loadQuote(from: lostOnceURL, in: world)
}
// endregion

// region: fallback
scenario.part("The fallback succeeds") { world in
  world.network.stub(.get, lostURL, responses: lostResponse, lostResponse)
  world.network.stub(.get, mirrorURL, responses: quoteResponse)
  loadQuote(from: lostURL, in: world)
}
// endregion

// region: all-fail
scenario.part("All three fail") { world in
  world.network.stub(.get, lostURL, responses: lostResponse, lostResponse)
  world.network.stub(.get, slowMirrorURL, responses: slowResponse)
  loadQuote(from: lostURL, or: slowMirrorURL, in: world)
}
// endregion

// region: replace-error
scenario.part("A stand-in replaces the error") { world in
  world.network.stub(.get, lostURL, responses: lostResponse, lostResponse)
  world.session
    .dataTaskPublisher(for: lostURL)
    .lane("data task")
    .map { String(decoding: $0.data, as: UTF8.self) }
    .retry(1)
    .lane("retry(1)")
    // note: Delivers this text instead of the error, and finishes. Nothing below can fail any more.
    .replaceError(with: "No quote today.")
    .lane("replaceError")
    .sink { print("quote:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
