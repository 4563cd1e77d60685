import StreamsTesting
import Testing

@Test(.example) private func `Values pass as they arrive`() throws {
  let world = try World.current

  // region: example
  let taps = world.hot("-a---b--|").lane("taps")
  let keys = world.hot("---x---y--z|").lane("keys")
  taps
    .merge(with: keys)
    .lane("merge")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
