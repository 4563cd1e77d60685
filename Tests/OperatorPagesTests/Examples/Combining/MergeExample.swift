import StreamsTesting
import Testing

@Test(.example) private func `Values pass as they arrive`() throws {
  let world = try World.current

  // region: example
  let taps = world.cold("-a---b-|")
  let keys = world.cold("---x---y--z|")
  taps
    .lane("taps")
    .merge(
      with: keys
        .lane("keys")
    )
    .lane("merge")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}
