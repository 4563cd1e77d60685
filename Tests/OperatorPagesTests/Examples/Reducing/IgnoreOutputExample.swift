import StreamsTesting
import Testing

@Test(.example) private func `Only the end of the upload is published`() throws {
  let world = try World.current

  // region: finish
  let percent = world.cold("-a-b-c-d|", ["a": 25, "b": 50, "c": 75, "d": 100])
  percent
    .lane("percent")
    .ignoreOutput()
    .lane("ignoreOutput")
    .sink(receiveCompletion: { print("upload:", $0) }, receiveValue: { _ in })
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A failure passes too`() throws {
  let world = try World.current

  // region: failure
  let percent = world.cold("-a-b#", ["a": 25, "b": 50], failure: Oops())
  percent
    .lane("percent")
    .ignoreOutput()
    .lane("ignoreOutput")
    .sink(receiveCompletion: { print("upload:", $0) }, receiveValue: { _ in })
    .store(in: &world.cancellables)
  // endregion
}
