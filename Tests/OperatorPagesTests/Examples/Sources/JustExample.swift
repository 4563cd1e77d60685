import StreamsTesting
import Testing

@Test(.example) private func `A stored picture needs no download`() throws {
  let world = try World.current

  // region: example
  let stored = ["Ann": "ann.png"]
  func avatar(of name: String) -> AnyPublisher<String, Never> {
    if let picture = stored[name] {
      return Just(picture).lane("Just").eraseToAnyPublisher()
    }
    return world.cold("---b|", ["b": "bob.png"]).lane("download").eraseToAnyPublisher()
  }

  let users = world.cold("-a-b|", ["a": "Ann", "b": "Bob"])
  users
    .lane("users")
    .flatMap { avatar(of: $0) }
    .lane("flatMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
