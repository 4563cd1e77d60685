import StreamsTesting
import Testing

@Test(.example) private func `A search without results says so`() throws {
  let world = try World.current

  // region: example
  let articles = world.cold("-a-b|", ["a": "Swift 6", "b": "Streams"])
  articles
    .lane("articles")
    .filter { $0.contains("Rust") }
    .lane("filter")
    .replaceEmpty(with: "no match")
    .lane("replaceEmpty")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
