import StreamsTesting
import Testing

@Test(.example) private func `The second bus is yours`() throws {
  let world = try World.current

  // region: at
  let buses = world.cold("--a---b---c-|", ["a": "Bus 12", "b": "Bus 7", "c": "Bus 12"])
  buses
    .lane("buses")
    .output(at: 1)
    .lane("output")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `The second page has two rows`() throws {
  let world = try World.current

  // region: in
  let rows = world.cold("-a-b-c-d-e-f|")
  rows
    .lane("rows")
    .output(in: 2..<4)
    .lane("output")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
