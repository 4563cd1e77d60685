import StreamsTesting
import Testing

@Test(.example) private func `Each event prints a line`() throws {
  let world = try World.current

  // region: example
  let sensor = world.cold("-7-8-9-8|", digits)
  sensor
    .lane("sensor")
    .map { "\($0) °C" }
    .print("sensor", to: world.console)
    .prefix(2)
    .sink { _ in }
    .store(in: &world.cancellables)
  // endregion
}
