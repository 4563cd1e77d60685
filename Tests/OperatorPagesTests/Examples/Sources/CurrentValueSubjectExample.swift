import StreamsTesting
import Testing

@Test(.example) private func `A late subscriber gets the current volume`() throws {
  let world = try World.current

  // region: example
  let volume = CurrentValueSubject<Int, Never>(5)

  let slider = volume.lane("slider")
  slider.sink { print("slider:", $0) }.store(in: &world.cancellables)

  world.at(.milliseconds(1)) { volume.value += 2 }
  world.at(.milliseconds(2)) {
    let label = volume.lane("label")
    label.sink { print("label:", $0) }.store(in: &world.cancellables)
  }
  world.at(.milliseconds(3)) { volume.send(0) }
  // endregion
}
