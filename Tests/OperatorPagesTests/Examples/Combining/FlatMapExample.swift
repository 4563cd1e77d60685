import StreamsTesting
import Testing

@Test(.example) private func `All downloads run at once`() throws {
  let world = try World.current

  // region: flatMap
  let parts = ["a": "-1---2|", "b": "--1---2|"]
  let files = world.hot("-a-b-|")
  files
    .lane("files")
    .flatMap { file in
      world.cold(parts[file]!).map { file + $0 }.lane("file \(file)")
    }
    .lane("flatMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `One download at a time`() throws {
  let world = try World.current
  let parts = ["a": "-1---2|", "b": "--1---2|"]

  // region: limit
  let files = world.cold("-a-b-|")
  files
    .lane("files")
    .flatMap(maxPublishers: .max(1)) { file in
      world.cold(parts[file]!).map { file + $0 }.lane("file \(file)")
    }
    .lane("flatMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `One failure ends all downloads`() throws {
  let world = try World.current

  // region: failure
  let parts = ["a": "-1---2|", "b": "--#"]
  let files = world.hot("-a-b---c|")
  files
    .lane("files")
    .flatMap { file in
      world.cold(parts[file]!, failure: Oops()).map { file + $0 }.lane("file \(file)")
    }
    .lane("flatMap")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
