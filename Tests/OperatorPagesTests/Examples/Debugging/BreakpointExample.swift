import StreamsTesting
import Testing

@Test(.example) private func `No price is negative, so nothing stops`() throws {
  let world = try World.current

  // region: example
  let prices = world.cold("-4-0-2|", digits)
  prices
    .lane("prices")
    .breakpoint(receiveOutput: { price in
      print("is \(price) negative?", price < 0)
      return price < 0
    })
    .lane("breakpoint")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
