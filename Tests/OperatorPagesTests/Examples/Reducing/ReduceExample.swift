import StreamsTesting
import Testing

@Test(.example) private func `The sum comes with the finish`() throws {
  let world = try World.current

  // region: reduce
  let prices = world.cold("-3-1-5--|", digits)
  prices
    .lane("prices")
    .reduce(0) { $0 + $1 }
    .lane("reduce")
    .sink { print("total:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A price of zero ends the sum`() throws {
  let world = try World.current

  // region: tryReduce
  let prices = world.cold("-3-0-5--|", digits)
  prices
    .lane("prices")
    .tryReduce(0) { sum, price in
      if price == 0 { throw Oops() }
      return sum + price
    }
    .lane("tryReduce")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
