import StreamsTesting
import Testing

@Test(.example) private func `A loop receives the titles`() async throws {
  let world = try World.current

  // region: loop
  let titles = ["Emma", "Dracula", "Ulysses"].publisher
  for await title in titles.lane("titles").values {
    print("I've read \(title).")
  }
  print("the end")
  // endregion
  _ = world
}

@Test(.example) private func `A loop throws the failure`() async throws {
  let world = try World.current

  // region: failure
  let prices = ["3", "5", "?"].publisher
    .tryMap { text in
      guard let price = Int(text) else { throw Oops() }
      return price
    }
  do {
    for try await price in prices.lane("prices").values { print("\(price) €") }
  } catch {
    print("That isn't a price.")
  }
  // endregion
  _ = world
}
