import StreamsTesting
import Testing

@Test(.example) private func `The starting value is dropped`() throws {
  let world = try World.current

  // region: example
  let volume = CurrentValueSubject<Int, Never>(5)
  volume
    .lane("volume")
    .dropFirst()
    .lane("dropFirst")
    .sink { print("save", $0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(2)) { volume.send(6) }
  world.at(.milliseconds(4)) { volume.send(7) }
  world.at(.milliseconds(6)) { volume.send(completion: .finished) }
  // endregion
}
