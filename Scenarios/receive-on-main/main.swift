import ScenarioKit

let scenario = Scenario(
  "receive-on-main", "Move a subscriber's work to the main thread, and see which thread runs what.",
  showsThreads: true)

// region: pipeline
func showStatus(on scheduler: some Scheduler, in world: World) {
  world.session
    .dataTaskPublisher(for: statusURL)
    .lane("data task")
    .map { element in
      print("map: on the main thread?", Thread.isMainThread)
      return String(decoding: element.data, as: UTF8.self)
    }
    .lane("map")
    // note: Sends each value, and the completion, to the scheduler. Everything below runs there.
    .receive(on: scheduler)
    .lane("receive(on:)")
    .sink(
      receiveCompletion: { print("completion:", $0, "- on the main thread?", Thread.isMainThread) },
      // note: This is where an app would update a view.
      receiveValue: { print("value:", $0, "- on the main thread?", Thread.isMainThread) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: main-queue
scenario.part("DispatchQueue.main") { world in
  world.network.stub(.get, statusURL, responses: statusResponse)
  showStatus(on: DispatchQueue.main, in: world)
}
// endregion

// region: run-loop
scenario.part("RunLoop.main") { world in
  world.network.stub(.get, statusURL, responses: statusResponse)
  showStatus(on: RunLoop.main, in: world)
}
// endregion

// region: mixed
scenario.part("Four displays") { world in
  let status = PassthroughSubject<String, Never>()
  status.receive(on: RunLoop.main)
    .lane("run loop")
    .sink { print("by the run loop:", $0) }
    .store(in: &world.cancellables)
  status.receive(on: DispatchQueue.main)
    .lane("main queue")
    .sink { print("by the main queue:", $0) }
    .store(in: &world.cancellables)
  // note: The only subscriber without `receive(on:)`.
  status
    .lane("directly")
    .sink { print("directly:", $0) }
    .store(in: &world.cancellables)
  status.receive(on: RunLoop.main)
    .lane("run loop again")
    .sink { print("by the run loop again:", $0) }
    .store(in: &world.cancellables)
  // note: Runs in the world's thread.
  world.at(.milliseconds(40)) { status.send("all well") }
}
// endregion

scenario.run()
