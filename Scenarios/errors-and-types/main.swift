import ScenarioKit

let scenario = Scenario(
  "errors-and-types", "See what an error does to a stream, and catch it in two places.",
  refusesServers: "it makes no requests")

// region: ends
scenario.part("A text that isn't a number") { world in
  texts()
    .lane("texts")
    // note: A `map` whose function may throw. What it throws becomes the stream's error.
    .tryMap(price)
    .lane("tryMap")
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("price:", $0) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: outside
scenario.part("catch, at the end") { world in
  texts()
    .lane("texts")
    .tryMap(price)
    .lane("tryMap")
    // note: On an error, subscribes to another publisher. `Just(0)` delivers one value and
    //   finishes.
    .catch { _ in Just(0) }
    .lane("catch")
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("price:", $0) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: inside
scenario.part("catch, inside flatMap") { world in
  texts()
    .lane("texts")
    // note: Makes a stream of each text, and delivers what these streams deliver.
    .flatMap { text in
      Just(text)
        .tryMap(price)
        .lane("one text")
        // note: Replaces the error of this one text.
        .catch { _ in Just(0) }
    }
    .lane("flatMap")
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("price:", $0) }
    )
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
