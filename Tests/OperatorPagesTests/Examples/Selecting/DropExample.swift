import StreamsTesting
import Testing

@Test(.example) private func `Only the start of the drive is dropped`() throws {
  let world = try World.current

  // region: while
  let speed = world.cold("-0-0-3-0-4|", digits)
  speed
    .lane("speed")
    .drop { $0 == 0 }
    .lane("drop")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Kicks count after the whistle`() throws {
  let world = try World.current

  // region: until
  let kicks = world.hot("-a-b--c-d-e|").lane("kicks")
  let whistle = world.hot("----x---x--|").lane("whistle")
  kicks
    .drop(untilOutputFrom: whistle)
    .lane("drop")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A broken sensor is noticed at the start`() throws {
  let world = try World.current

  // region: tryDrop
  let speed = world.cold("-0-x-3|", ["0": 0, "x": -1, "3": 3])
  speed
    .lane("speed")
    .tryDrop { speed in
      if speed < 0 { throw Oops() }
      return speed == 0
    }
    .lane("tryDrop")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
