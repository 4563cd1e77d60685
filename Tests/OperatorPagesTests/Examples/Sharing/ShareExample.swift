import StreamsTesting
import Testing

@Test(.example) private func `Two views, one connection`() throws {
  let world = try World.current

  // region: example
  let scores = world.hot("-1-2-3|", digits)
  let shared =
    scores
    .lane("connection")
    .share()

  shared
    .lane("board")
    .sink { print("board:", $0) }
    .store(in: &world.cancellables)
  world.at(.milliseconds(2)) {
    shared
      .lane("badge")
      .sink { print("badge:", $0) }
      .store(in: &world.cancellables)
  }
  // endregion
}

@Test(.example) private func `Without share, each view connects`() throws {
  let world = try World.current
  let scores = world.hot("-1-2-3|", digits)

  // region: without
  scores
    .lane("connection")
    .sink { print("board:", $0) }
    .store(in: &world.cancellables)
  scores
    .lane("connection")
    .sink { print("badge:", $0) }
    .store(in: &world.cancellables)
  // endregion
}
