import StreamsTesting
import Testing

@Test(.example) private func `The third attempt succeeds`() throws {
  let world = try World.current

  // region: example
  var attempts = ["--#", "-a-#", "-a-b|"]
  let download = Deferred { world.cold(attempts.removeFirst(), failure: Oops()) }
  download
    .lane("download")
    .retry(2)
    .lane("retry")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
