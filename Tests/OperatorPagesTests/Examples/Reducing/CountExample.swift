import StreamsTesting
import Testing

@Test(.example) private func `The number of deleted files comes last`() throws {
  let world = try World.current

  // region: example
  let deleted = world.cold("-a-b--c-d-|")
  deleted
    .lane("deleted")
    .count()
    .lane("count")
    .sink { print($0, "files deleted") }
    .store(in: &world.cancellables)
  // endregion
}
