import StreamsTesting
import Testing

@Test(.example) private func `The download follows the cache`() throws {
  let world = try World.current

  // region: publisher
  let cached = world.cold("-a-b--|").lane("cached")
  let downloaded = world.cold("---c-d|").lane("downloaded")
  cached
    .append(downloaded)
    .lane("append")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `After a failure nothing is appended`() throws {
  let world = try World.current

  // region: failure
  let lines = world.cold("-a-b#", failure: Oops())
  lines
    .lane("lines")
    .append("The end")
    .lane("append")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
