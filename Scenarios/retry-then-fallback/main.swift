import ScenarioKit

let scenario = Scenario(
  "retry-then-fallback", "Try a failed load once more, then ask another server, then give up.")

// region: pipeline
func loadQuote(in world: World) {
  let fallbackSession = world.makeSession()
  let publisher = world.session
    .dataTaskPublisher(for: url)  // (1)
    .retry(1)  // (2)
    .catch { _ in fallbackSession.dataTaskPublisher(for: fallbackURL) }  // (3)
  publisher
    .sink(
      receiveCompletion: { completion in
        print("completion:", completion)
        print("requests made:", world.requestCount)  // (4)
      },
      receiveValue: { print("quote:", String(decoding: $0.data, as: UTF8.self)) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: outcomes
let quote = Answer.text("Begin at the beginning.", after: .milliseconds(100))
let lost = Answer.failure(.networkConnectionLost, after: .milliseconds(60))

scenario.part("The first try succeeds") { world in
  world.network.stub(.get, address, answers: quote)
  loadQuote(in: world)
}

scenario.part("The retry succeeds") { world in
  world.network.stub(.get, address, answers: lost, quote)
  loadQuote(in: world)
}

scenario.part("The fallback succeeds") { world in
  world.network.stub(.get, address, answers: lost, lost)
  world.network.stub(.get, fallbackAddress, answers: quote)
  loadQuote(in: world)
}

scenario.part("All three fail") { world in
  world.network.stub(.get, address, answers: lost, lost)
  world.network.stub(.get, fallbackAddress, answers: .failure(.timedOut, after: .seconds(2)))
  loadQuote(in: world)
}
// endregion

// region: replace-error
scenario.part("A stand-in replaces the error") { world in
  world.network.stub(.get, address, answers: lost, lost)
  world.session
    .dataTaskPublisher(for: url)
    .map { String(decoding: $0.data, as: UTF8.self) }
    .retry(1)
    .replaceError(with: "No quote today.")  // (5)
    .sink { print("quote:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
