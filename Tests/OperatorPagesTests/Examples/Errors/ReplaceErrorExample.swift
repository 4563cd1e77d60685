import StreamsTesting
import Testing

@Test(.example) private func `A placeholder instead of an error`() throws {
  let world = try World.current

  // region: example
  let cover = world.cold("---#", failure: Oops())
  cover
    .lane("cover")
    .replaceError(with: "blank")
    .lane("replaceError")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `One failed request, and the stream goes on`() throws {
  let world = try World.current

  // region: inside
  let covers = ["a": "-A|", "b": "-#", "c": "-C|"]
  let albums = world.hot("-a--b--c--|")
  albums
    .lane("albums")
    .flatMap { album in
      world.cold(covers[album]!, failure: Oops()).replaceError(with: "blank")
    }
    .lane("flatMap")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
