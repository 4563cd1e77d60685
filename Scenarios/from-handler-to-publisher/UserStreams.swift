import ScenarioKit

// region: future
func userFuture(_ address: String, in world: World) -> Future<User, any Error> {
  // note: Calls its closure at once, and only once.
  Future { promise in
    // note: A promise is not `Sendable`. It may be called from anywhere all the same.
    nonisolated(unsafe) let promise = promise
    load(world.url(address), in: world.session) { data, response, error in
      promise(Result { try user(data, response, error) })
    }
  }
}
// endregion

// region: deferred
func deferredUser(_ address: String, in world: World) -> some Publisher<User, any Error> {
  // note: Calls its closure for each subscriber, and so makes a future for each.
  Deferred { userFuture(address, in: world) }
}
// endregion

// region: publisher
func userPublisher(_ address: String, in world: World) -> some Publisher<User, any Error> {
  world.session.dataTaskPublisher(for: world.url(address))
    .tryMap { try user($0.data, $0.response, nil) }
}
// endregion
