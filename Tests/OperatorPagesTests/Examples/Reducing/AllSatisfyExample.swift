import StreamsTesting
import Testing

@Test(.example) private func `One answer decides`() throws {
  let world = try World.current

  // region: false
  let answers = world.cold("-y--y--n--y|", ["y": "yes", "n": "no"])
  answers
    .lane("answers")
    .allSatisfy { $0 == "yes" }
    .lane("allSatisfy")
    .sink { print("all agree:", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `All agree only when all have answered`() throws {
  let world = try World.current

  // region: true
  let answers = world.cold("-y--y--y--y|", ["y": "yes"])
  answers
    .lane("answers")
    .allSatisfy { $0 == "yes" }
    .lane("allSatisfy")
    .sink { print("all agree:", $0) }
    .store(in: &world.cancellables)
  // endregion
}
