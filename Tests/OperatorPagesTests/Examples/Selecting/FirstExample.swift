import StreamsTesting
import Testing

@Test(.example) private func `The first accurate position is enough`() throws {
  let world = try World.current

  // region: first
  let metres = world.cold("-a--b--c--d--|", ["a": 80, "b": 35, "c": 12, "d": 9])
  metres
    .lane("metres")
    .first { $0 < 20 }
    .lane("first")
    .sink { print("within \($0) m") }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `An unreadable code ends the search`() throws {
  let world = try World.current

  // region: tryFirst
  let codes = world.cold("-a--b--c|", ["a": "4012345", "b": "", "c": "9780141"])
  codes
    .lane("codes")
    .tryFirst { code in
      if code.isEmpty { throw Oops() }
      return code.hasPrefix("978")
    }
    .lane("tryFirst")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
