import StreamsExtras
import StreamsTesting
import Testing

@Test(.example) private func `Each reading with the one before`() throws {
  let world = try World.current

  // region: example
  let readings = world.cold("-5-7-4-|", digits)
  readings
    .lane("readings")
    .pairwise()
    .map { "\($0.previous) → \($0.current)" }
    .lane("pairwise, map")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
