import StreamsTesting
import Testing

@Test(.example) private func `A list is loaded one by one`() throws {
  let world = try World.current

  // region: example
  let names = ["ann", "bob", "cleo"]
  names.publisher
    .lane("names")
    .flatMap(maxPublishers: .max(1)) { name in
      world.cold("--(p|)", ["p": "\(name).png"])
    }
    .lane("flatMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `An optional and two results`() throws {
  let world = try World.current

  // region: others
  let saved: String? = nil
  let loaded = Result<String, Oops>.success("ann.png")
  let broken = Result<String, Oops>.failure(Oops())

  saved.publisher
    .lane("nil")
    .sink { print($0) }
    .store(in: &world.cancellables)
  for result in [loaded, broken] {
    result.publisher
      .lane("Result")
      .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
      .store(in: &world.cancellables)
  }
  // endregion
}
