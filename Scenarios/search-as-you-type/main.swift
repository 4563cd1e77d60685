import ScenarioKit

let scenario = Scenario(
  "search-as-you-type", "Search while somebody types, and show the answer to the last question.")
let withoutSwitch = scenario.flag("without-switch", "use flatMap in place of switchToLatest")

// region: results
func results(for query: String, in world: World) -> AnyPublisher<String, Never> {
  world.session
    .dataTaskPublisher(for: world.url(address(for: query)))
    .map { $0.data }
    .decode(type: [String].self, decoder: JSONDecoder())
    .map { "\(query): \($0.joined(separator: ", "))" }
    // note: Inside, where it ends one answer. Below `switchToLatest` it would end the whole search.
    .replaceError(with: "\(query): no answer")
    .eraseToAnyPublisher()
}
// endregion

// region: pipeline
func search(_ typed: some Publisher<String, Never>, in world: World) {
  let searches =
    typed
    // note: Waits until nobody has typed for a while.
    .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
    // note: The same question as the last one is not asked again.
    .removeDuplicates()
    .handleEvents(receiveOutput: { print("search for", $0) })
    // note: A question becomes a request that nobody has sent yet: a publisher of publishers.
    .map { results(for: $0, in: world) }

  // note: Listens to the newest answer alone, and cancels the request before it. `flatMap` listens
  //   to all of them.
  let answers =
    world.has(withoutSwitch)
    ? searches.flatMap { $0 }.eraseToAnyPublisher()
    : searches.switchToLatest().eraseToAnyPublisher()

  answers
    .receive(on: DispatchQueue.main)
    .sink { print("on the screen:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: keyboard
scenario.part("A slow answer to an old question") { world in
  stubAnswers(in: world)
  let typed = PassthroughSubject<String, Never>()
  search(typed, in: world)
  for (time, text) in keystrokes {
    world.at(time) {
      print("typed", text)
      typed.send(text)
    }
  }
}
// endregion

scenario.run()
