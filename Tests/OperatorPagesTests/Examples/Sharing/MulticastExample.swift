import StreamsTesting
import Testing

@Test(.example) private func `A late view gets the latest price`() throws {
  let world = try World.current

  // region: example
  let prices = world.cold("-1-2---3|", digits)
  let shared =
    prices
    .lane("prices")
    .multicast { CurrentValueSubject(0) }

  shared
    .lane("chart")
    .sink { print("chart:", $0) }
    .store(in: &world.cancellables)
  world.at(.milliseconds(5)) {
    shared
      .lane("label")
      .sink { print("label:", $0) }
      .store(in: &world.cancellables)
  }
  shared.connect().store(in: &world.cancellables)
  // endregion
}
