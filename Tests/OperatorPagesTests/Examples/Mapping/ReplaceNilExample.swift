import StreamsTesting
import Testing

@Test(.example) private func `A user without a nickname is a guest`() throws {
  let world = try World.current

  // region: example
  let names = world.cold("-a-n-b|", ["a": "Ann", "n": nil, "b": "Bob"])
  names
    .lane("names")
    .replaceNil(with: "Guest")
    .lane("replaceNil")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
