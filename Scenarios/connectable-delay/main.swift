import ScenarioKit

let scenario = Scenario(
  "connectable-delay", "Hold a load back until all its subscribers are there.")

let address = "https://api.example.com/headline"
let answer = StubResponse.text("Engine weaves algebra", after: .milliseconds(50))

// region: headline
func headline(in world: World) -> some Publisher<String, Never> {
  world.session
    .dataTaskPublisher(for: world.url(address))
    .map { String(decoding: $0.data, as: UTF8.self) }
    // note: `makeConnectable()` is for publishers that cannot fail.
    .replaceError(with: "no headline")
    .share()
}

func subscribe(_ name: String, to headline: some Publisher<String, Never>, in world: World) {
  print("\(name) subscribes")
  headline
    .sink(receiveCompletion: { print("\(name):", $0) }, receiveValue: { print("\(name):", $0) })
    .store(in: &world.cancellables)
}
// endregion

// region: connect
scenario.part("makeConnectable() waits for connect()") { world in
  world.network.stub(.get, address, responses: answer)
  // note: Passes nothing on, and asks for nothing, before `connect()`.
  let connectable = headline(in: world).makeConnectable()
  subscribe("first", to: connectable, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: connectable, in: world)
  }
  world.at(.milliseconds(200)) {
    print("connect")
    // note: Now the request is made. Dropping what `connect()` returns would cancel it.
    connectable.connect().store(in: &world.cancellables)
  }
}
// endregion

// region: autoconnect
scenario.part("autoconnect() does not wait") { world in
  world.network.stub(.get, address, responses: answer)
  // note: Connects when the first subscriber attaches, and so does not wait for the second.
  let automatic = headline(in: world).makeConnectable().autoconnect()
  subscribe("first", to: automatic, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: automatic, in: world)
  }
}
// endregion

scenario.run()
