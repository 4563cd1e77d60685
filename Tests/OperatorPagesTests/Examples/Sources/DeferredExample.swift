import StreamsTesting
import Testing

@Test(.example) private func `Each subscriber gets the stock of its moment`() throws {
  let world = try World.current

  // region: example
  var stock = 3
  let level = Deferred { Just(stock) }.lane("Deferred")
  let snapshot = Just(stock).lane("Just")

  func look() {
    level.sink { print("deferred:", $0) }.store(in: &world.cancellables)
    snapshot.sink { print("just:", $0) }.store(in: &world.cancellables)
  }

  look()
  world.at(.milliseconds(5)) {
    stock = 2
    look()
  }
  // endregion
}
