import StreamsTesting
import Testing

@Test(.example) private func `Each price becomes a text`() throws {
  let world = try World.current

  // region: map
  let prices = world.cold("-1-2-3|", digits)
  prices
    .lane("prices")
    .map { "\($0) €" }
    .lane("map")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A key path picks a property`() throws {
  let world = try World.current

  // region: keyPath
  let words = world.cold("-a-b|", ["a": "swift", "b": "streams"])
  words
    .lane("words")
    .map(\.count)
    .lane("map")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A closure that throws ends the stream`() throws {
  let world = try World.current
  let prices = world.cold("-1-0-3|", digits)

  // region: tryMap
  prices
    .lane("prices")
    .tryMap { price in
      if price == 0 { throw Oops() }
      return "\(price) €"
    }
    .lane("tryMap")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
