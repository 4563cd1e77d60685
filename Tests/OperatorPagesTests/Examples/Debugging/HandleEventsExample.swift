import StreamsTesting
import Testing

@Test(.example) private func `A spinner turns while the request runs`() throws {
  let world = try World.current

  // region: finish
  let request = world.cold("---u|", ["u": "Ada"])
  request
    .lane("request")
    .handleEvents(
      receiveSubscription: { _ in print("spinner on") },
      receiveCompletion: { _ in print("spinner off") },
      receiveCancel: { print("spinner off") }
    )
    .lane("handleEvents")
    .sink { print("show", $0) }
    .store(in: &world.cancellables)
  // endregion
}

@Test(.example) private func `Cancelling stops the spinner too`() throws {
  let world = try World.current
  let request = world.cold("---u|", ["u": "Ada"])

  // region: cancel
  let subscription =
    request
    .lane("request")
    .handleEvents(
      receiveSubscription: { _ in print("spinner on") },
      receiveCompletion: { _ in print("spinner off") },
      receiveCancel: { print("spinner off") }
    )
    .sink { print("show", $0) }
  world.at(.milliseconds(2)) { subscription.cancel() }
  // endregion
}
