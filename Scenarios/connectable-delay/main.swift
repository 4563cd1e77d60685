import ScenarioKit

let scenario = Scenario(
  "connectable-delay", "Hold a load back until all its subscribers are there.")

let address = "https://api.example.com/headline"
let url = URL(string: address)!
let answer = Answer.text("Engine weaves algebra", after: .milliseconds(50))

// region: headline
func headline(in world: World) -> some Publisher<String, Never> {
  world.session
    .dataTaskPublisher(for: url)
    .map { String(decoding: $0.data, as: UTF8.self) }
    .replaceError(with: "no headline")  // (1)
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
  world.network.stub(.get, address, answers: answer)
  let connectable = headline(in: world).makeConnectable()  // (2)
  subscribe("first", to: connectable, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: connectable, in: world)
  }
  world.at(.milliseconds(200)) {
    print("connect")
    connectable.connect().store(in: &world.cancellables)  // (3)
  }
}
// endregion

// region: autoconnect
scenario.part("autoconnect() does not wait") { world in
  world.network.stub(.get, address, answers: answer)
  let automatic = headline(in: world).makeConnectable().autoconnect()  // (4)
  subscribe("first", to: automatic, in: world)
  world.at(.milliseconds(100)) {
    subscribe("second", to: automatic, in: world)
  }
}
// endregion

scenario.run()
