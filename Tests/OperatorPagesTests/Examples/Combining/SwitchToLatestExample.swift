import StreamsTesting
import Testing

@Test(.example) private func `A new query cancels the old request`() throws {
  let world = try World.current

  // region: example
  let words: [Character: String] = ["1": "sun", "2": "sea", "3": "swim", "4": "swan"]
  let results = ["s": "---1----2|", "sw": "---3--4|"]
  let queries = world.hot("-s----w----|", ["s": "s", "w": "sw"])
  queries
    .lane("queries")
    .map { world.cold(results[$0]!, words).lane("for \($0)") }
    .switchToLatest()
    .lane("switchToLatest")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
