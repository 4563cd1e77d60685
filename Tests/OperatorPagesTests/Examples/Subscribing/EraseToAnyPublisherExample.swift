import StreamsTesting
import Testing

@Test(.example) private func `Two sources, one type`() throws {
  let world = try World.current

  // region: example
  var cache = [1: "Ada"]
  func name(ofUser id: Int) -> AnyPublisher<String, Never> {
    if let name = cache[id] { return Just(name).eraseToAnyPublisher() }
    return world.cold("---u|", ["u": "User \(id)"])
      .handleEvents(receiveOutput: { cache[id] = $0 })
      .eraseToAnyPublisher()
  }

  let ids = world.hot("-1----2----2--|", digits)
  ids
    .lane("ids")
    .flatMap { name(ofUser: $0) }
    .lane("names")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
