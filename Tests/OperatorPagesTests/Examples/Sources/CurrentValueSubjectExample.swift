import StreamsTesting
import Testing

@Test(.example) private func `A late subscriber gets the current volume`() throws {
  let world = try World.current

  // region: example
  let volume = CurrentValueSubject<Int, Never>(5)

  volume
    .lane("slider")
    .sink { print("slider:", $0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(1)) { volume.value += 2 }
  world.at(.milliseconds(2)) {
    volume
      .lane("label")
      .sink { print("label:", $0) }
      .store(in: &world.cancellables)
  }
  world.at(.milliseconds(3)) { volume.send(0) }
  // endregion
}
