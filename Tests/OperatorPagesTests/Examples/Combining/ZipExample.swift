import StreamsTesting
import Testing

@Test(.example) private func `Each order gets its own meal`() throws {
  let world = try World.current

  // region: example
  let tables = world.hot("-1-2-3|", digits).lane("tables")
  let meals = world.hot("--a-----b--c---d|").lane("meals")
  tables
    .zip(meals) { "\($1) to \($0)" }
    .lane("zip")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
