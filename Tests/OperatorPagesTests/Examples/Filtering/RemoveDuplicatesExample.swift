import StreamsTesting
import Testing

@Test(.example) private func `Only changes of the battery pass`() throws {
  let world = try World.current

  // region: removeDuplicates
  let battery = world.cold("-8-8-7-7-8|", digits, frame: .seconds(1))
  battery
    .lane("battery")
    .removeDuplicates()
    .lane("removeDuplicates")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A thermometer that drifts slowly`() throws {
  let world = try World.current

  // region: by
  let degrees = world.cold("-a-b-c-d|", ["a": 20.0, "b": 20.4, "c": 20.8, "d": 22.0])
  degrees
    .lane("degrees")
    .removeDuplicates { previous, next in abs(next - previous) < 0.5 }
    .lane("removeDuplicates")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A counter that runs backwards fails`() throws {
  let world = try World.current

  // region: tryRemoveDuplicates
  let counter = world.cold("-3-3-4-2-5|", digits)
  counter
    .lane("counter")
    .tryRemoveDuplicates { previous, next in
      if next < previous { throw Oops() }
      return next == previous
    }
    .lane("tryRemoveDuplicates")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
