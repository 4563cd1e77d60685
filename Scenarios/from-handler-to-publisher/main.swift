import ScenarioKit

let scenario = Scenario(
  "from-handler-to-publisher",
  "Make a stream of an older client three ways, and count the requests that each makes.")

// region: subscribe
func subscribe(_ name: String, to user: some Publisher<User, any Error>, in world: World) {
  user
    .sink(
      receiveCompletion: { print("\(name):", $0) }, receiveValue: { print("\(name):", $0.name) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: nobody
scenario.part("Nobody subscribes") { world in
  world.network.stub(.get, ada, responses: answer)
  let trial = Trial("no subscriber", in: world)
  trial.of(.future) { _ = userFuture(ada, in: world) }
  trial.of(.deferred) { _ = deferredUser(ada, in: world) }
  trial.of(.publisher) { _ = userPublisher(ada, in: world) }
}
// endregion

// region: two
scenario.part("Two subscribers") { world in
  world.network.stub(.get, ada, responses: answer.repeating)
  func subscribeTwice(to user: some Publisher<User, any Error>) {
    subscribe("first", to: user, in: world)
    subscribe("second", to: user, in: world)
  }
  let trial = Trial("two subscribers", in: world)
  trial.of(.future) { subscribeTwice(to: userFuture(ada, in: world)) }
  trial.of(.deferred) { subscribeTwice(to: deferredUser(ada, in: world)) }
  trial.of(.publisher) { subscribeTwice(to: userPublisher(ada, in: world)) }
  // note: Waits for a subscriber as `Deferred` does, and asks once as a future does.
  trial.also("Deferred { Future }, shared") {
    subscribeTwice(to: deferredUser(ada, in: world).share())
  }
}
// endregion

// region: retry
scenario.part("A lost request, and retry(1)") { world in
  world.network.stub(.get, lostOnce, responses: lost, answer, lost, answer, lost, answer)
  let trial = Trial("retry(1)", in: world)
  trial.of(.future) { subscribe("result", to: userFuture(lostOnce, in: world).retry(1), in: world) }
  // note: What another attempt takes: another future.
  trial.also("another Future") {
    subscribe("result", to: userFuture(lostOnce, in: world), in: world)
  }
  trial.of(.deferred) {
    subscribe("result", to: deferredUser(lostOnce, in: world).retry(1), in: world)
  }
  trial.of(.publisher) {
    subscribe("result", to: userPublisher(lostOnce, in: world).retry(1), in: world)
  }
}
// endregion

// region: table
scenario.part("Requests made") { _ in printTable() }
// endregion

scenario.run()
