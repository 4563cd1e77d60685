import StreamsTesting
import Testing

@Test(.example) private func `A stored copy replaces the rest`() throws {
  let world = try World.current

  // region: catch
  let download = world.cold("-1-#", digits, failure: Oops())
  let stored = world.cold("-7-8|", digits).lane("stored")
  download
    .lane("download")
    .catch { _ in stored }
    .lane("catch")
    .sink { print($0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `The handler may throw`() throws {
  let world = try World.current
  let stored = world.cold("-7-8|", digits)

  // region: tryCatch
  enum Problem: Error {
    case offline, signedOut
  }
  let download = world.cold("-1-#", digits, failure: Problem.signedOut)
  download
    .lane("download")
    .tryCatch { problem in
      guard problem == .offline else { throw problem }
      return stored
    }
    .lane("tryCatch")
    .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    .store(in: &world.cancellables)
  // endregion
}
