import StreamsTesting
import Testing

@Test(.example) private func `Two views, one download`() throws {
  let world = try World.current

  // region: example
  let download = world.cold("-1-2-3|", digits)
  let shared =
    download
    .lane("download")
    .share()

  shared
    .lane("list")
    .sink { print("list:", $0) }
    .store(in: &world.cancellables)
  world.at(.milliseconds(2)) {
    shared
      .lane("badge")
      .sink { print("badge:", $0) }
      .store(in: &world.cancellables)
  }
  // endregion
}

@Test(.example) private func `Without share, each view downloads`() throws {
  let world = try World.current
  let download = world.cold("-1-2-3|", digits)

  // region: without
  let loads =
    download
    .lane("download")
  loads.sink { print("list:", $0) }.store(in: &world.cancellables)
  loads.sink { print("badge:", $0) }.store(in: &world.cancellables)
  // endregion
}
