import StreamsTesting
import Testing

@Test(.example) private func `Two subscribers share one sign-in`() throws {
  let world = try World.current

  // region: example
  let token = Future<String, Never> { promise in
    print("signing in")
    // note: Your completion handler calls the promise. Here, that's after 300 ms.
    world.at(.milliseconds(300)) { promise(.success("token")) }
  }

  let profile = token.lane("profile")
  profile.sink { print($0) }.store(in: &world.cancellables)

  world.at(.milliseconds(500)) {
    let messages = token.lane("messages")
    messages.sink { print($0) }.store(in: &world.cancellables)
  }
  // endregion
}
