import StreamsTesting
import Testing

@Test(.example) private func `A match ends the search`() throws {
  let world = try World.current

  // region: contains
  let names = world.cold("-b--a--c--d|", ["a": "ada", "b": "bob", "c": "cleo", "d": "dan"])
  names
    .lane("names")
    .contains("ada")
    .lane("contains")
    .sink { print("taken:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `No match is known at the end`() throws {
  let world = try World.current

  // region: where
  let sizes = world.cold("-2--4--3--|", digits)
  sizes
    .lane("sizes")
    .contains { $0 > 5 }
    .lane("contains")
    .sink { print("too large:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `An unreadable line ends the search`() throws {
  let world = try World.current

  // region: tryContains
  let lines = world.cold("-a--b--c|", ["a": "ok", "b": "", "c": "error"])
  lines
    .lane("lines")
    .tryContains { line in
      if line.isEmpty { throw Oops() }
      return line == "error"
    }
    .lane("tryContains")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
