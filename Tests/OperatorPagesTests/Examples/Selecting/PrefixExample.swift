import StreamsTesting
import Testing

@Test(.example) private func `Three measurements are enough`() throws {
  let world = try World.current

  // region: count
  let pulse = world.cold("-a--b--c--d--e|", ["a": 72, "b": 75, "c": 71, "d": 74, "e": 73])
  pulse
    .lane("pulse")
    .prefix(3)
    .lane("prefix")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A low battery ends the stream`() throws {
  let world = try World.current

  // region: while
  let battery = world.cold("-a-b-c-d|", ["a": 40, "b": 25, "c": 15, "d": 60])
  battery
    .lane("battery")
    .prefix { $0 >= 20 }
    .lane("prefix")
    .sink { print("\($0) %") }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A tap on stop ends the recording`() throws {
  let world = try World.current

  // region: until
  let sound = world.hot("-a-b-c-d-e|").lane("sound")
  let stop = world.hot("------x---x|").lane("stop")
  sound
    .prefix(untilOutputFrom: stop)
    .lane("prefix")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
