import StreamsTesting
import Testing

@Test(.example) private func `Only even numbers pass`() throws {
  let world = try World.current

  // region: filter
  let numbers = world.cold("-1-2-3-4|", digits)
  numbers
    .lane("numbers")
    .filter { $0.isMultiple(of: 2) }
    .lane("filter")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A closure that throws ends the stream`() throws {
  let world = try World.current
  let numbers = world.cold("-1-2-3-4|", digits)

  // region: tryFilter
  numbers
    .lane("numbers")
    .tryFilter { number in
      if number == 3 { throw Oops() }
      return number.isMultiple(of: 2)
    }
    .lane("tryFilter")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
