import StreamsTesting
import Testing

@Test(.example) private func `The coldest hour is known at the end`() throws {
  let world = try World.current

  // region: min
  let degrees = world.cold("-a-b-c-d--|", ["a": 7, "b": 4, "c": 12, "d": 9])
  degrees
    .lane("degrees")
    .min()
    .lane("min")
    .sink { print("coldest:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Of equally long names the first wins`() throws {
  let world = try World.current

  // region: max
  let names = world.cold("-a--b--c-|", ["a": "Ada", "b": "Grace", "c": "Linus"])
  names
    .lane("names")
    .max { $0.count < $1.count }
    .lane("max")
    .sink { print("longest:", $0) }
    .store(in: &world.cancellables)
  // endregion
}
