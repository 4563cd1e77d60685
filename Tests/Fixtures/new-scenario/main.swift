import ScenarioKit

// write: One sentence about what your scenario shows. The pages print it.
let scenario = Scenario("new-scenario", "Load a quote, and see what the subscriber receives.")

// write: Your pipeline. Comments that begin with "note:" become the numbered notes of the page.
// write: Its lanes. Each ".lane(" adds a row to the pictures, and the page leaves out its line.
// region: pipeline
func showQuote(from url: URL, in world: World) {
  world.session
    // note: Describes the request. It doesn't send anything yet.
    .dataTaskPublisher(for: url)
    .lane("data task")
    .map { String(decoding: $0.data, as: UTF8.self) }
    .lane("map")
    // note: Subscribes, and that starts the request.
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("quote:", $0) }
    )
    // note: Keeps the subscription until the part is over. Releasing it earlier cancels the
    //   request.
    .store(in: &world.cancellables)
}
// endregion

// write: A part for each thing that you show. Its title is a heading in the output.
// region: arrives
scenario.part("The quote arrives") { world in
  world.network.stub(.get, quoteURL, responses: quoteResponse)
  showQuote(from: quoteURL, in: world)
}
// endregion

// region: lost
scenario.part("The connection fails") { world in
  world.network.stub(.get, lostURL, responses: lostResponse)
  showQuote(from: lostURL, in: world)
}
// endregion

scenario.run()
