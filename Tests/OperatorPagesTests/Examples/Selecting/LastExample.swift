import StreamsTesting
import Testing

@Test(.example) private func `The last position arrives with the finish`() throws {
  let world = try World.current

  // region: last
  let slider = world.cold("-2-5-4-7---|", digits)
  slider
    .lane("slider")
    .last()
    .lane("last")
    .sink { print("saved:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A throw ends the stream before the finish`() throws {
  let world = try World.current

  // region: tryLast
  let lines = world.cold("-a-b-c-d|", ["a": "saved 1", "b": "saved 2", "c": "?!", "d": "saved 3"])
  lines
    .lane("lines")
    .tryLast { line in
      if line == "?!" { throw Oops() }
      return line.hasPrefix("saved")
    }
    .lane("tryLast")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
