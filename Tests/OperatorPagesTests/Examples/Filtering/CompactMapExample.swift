import StreamsTesting
import Testing

@Test(.example) private func `Only texts with a number pass`() throws {
  let world = try World.current

  // region: compactMap
  let amounts = world.cold("-a-b-c|", ["a": "12", "b": "dozen", "c": "7"])
  amounts
    .lane("amounts")
    .compactMap { Int($0) }
    .lane("compactMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `A blank line is dropped and a bad one fails`() throws {
  let world = try World.current

  // region: tryCompactMap
  let lines = world.cold("-a-b-c-d|", ["a": "12", "b": "", "c": "dozen", "d": "7"])
  lines
    .lane("lines")
    .tryCompactMap { line in
      if line.isEmpty { return nil }
      guard let amount = Int(line) else { throw Oops() }
      return amount
    }
    .lane("tryCompactMap")
    .sink(receiveCompletion: { print($0) }, receiveValue: { (amount: Int) in print(amount) })
    .store(in: &world.cancellables)
  // endregion
}
