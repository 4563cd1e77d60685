import ScenarioKit

// region: display
func show(_ temperatures: some Publisher<Int, Never>, on display: String, in world: World) {
  temperatures
    .lane(display)
    .sink(
      receiveCompletion: { print("\(display):", $0) },
      receiveValue: { print("\(display):", $0, "degrees") }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: diary
/// Yesterday's temperatures.
func diary() -> some Publisher<Int, Never> {
  [18, 20, 21].publisher
}
// endregion

// region: measure
func measure(with thermometer: some Subject<Int, Never>, in world: World) {
  world.at(.milliseconds(10)) { thermometer.send(18) }
  world.at(.milliseconds(20)) { thermometer.send(20) }
  world.at(.milliseconds(30)) { thermometer.send(21) }
  world.at(.milliseconds(40)) { thermometer.send(completion: .finished) }
}
// endregion
