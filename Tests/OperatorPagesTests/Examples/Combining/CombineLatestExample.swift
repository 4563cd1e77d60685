import StreamsTesting
import Testing

@Test(.example) private func `Each change makes a new total`() throws {
  let world = try World.current

  // region: example
  let price = world.hot("-4--------5---|", digits).lane("price")
  let quantity = world.hot("----1--3---|", digits).lane("quantity")
  price
    .combineLatest(quantity) { $0 * $1 }
    .lane("combineLatest")
    .sink { print("total:", $0) }
    .store(in: &world.cancellables)
  // endregion
}
