import StreamsTesting
import Testing

@Test(.example) private func `A late subscriber misses earlier taps`() throws {
  let world = try World.current

  // region: example
  let taps = PassthroughSubject<String, Never>()

  taps
    .lane("log")
    .sink { print("log:", $0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(1)) { taps.send("play") }
  world.at(.milliseconds(2)) {
    taps
      .lane("badge")
      .sink { print("badge:", $0) }
      .store(in: &world.cancellables)
  }
  world.at(.milliseconds(3)) { taps.send("stop") }
  world.at(.milliseconds(4)) { taps.send(completion: .finished) }
  // endregion
}
