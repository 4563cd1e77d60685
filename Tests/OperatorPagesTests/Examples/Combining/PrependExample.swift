import StreamsTesting
import Testing

@Test(.example) private func `The view says something at once`() throws {
  let world = try World.current

  // region: example
  let weather = world.hot("----s--r|", ["s": "sunny", "r": "rain"])
  weather
    .lane("weather")
    .prepend("loading")
    .lane("prepend")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
