import StreamsTesting
import Testing

@Test(.example) private func `Both miss nothing`() throws {
  let world = try World.current

  // region: example
  let steps = ["build", "test"].publisher
  let connectable =
    steps
    .lane("steps")
    .makeConnectable()

  connectable
    .lane("log")
    .sink { print("log:", $0) }
    .store(in: &world.cancellables)
  connectable
    .lane("screen")
    .sink { print("screen:", $0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(3)) {
    connectable.connect().store(in: &world.cancellables)
  }
  // endregion
}
