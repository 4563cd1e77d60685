import StreamsTesting
import Testing

@Test(.example) private func `Two subscribers share one sign-in`() throws {
  let world = try World.current

  // region: example
  let token = Future<String, Never> { promise in
    print("signing in")
    // note: Your completion handler calls the promise, which happens after 300 ms here.
    world.at(.milliseconds(300)) { promise(.success("token")) }
  }

  token
    .lane("profile")
    .sink { print($0) }
    .store(in: &world.cancellables)

  world.at(.milliseconds(500)) {
    token
      .lane("messages")
      .sink { print($0) }
      .store(in: &world.cancellables)
  }
  // endregion
}
