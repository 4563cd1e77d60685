import ScenarioKit

let scenario = Scenario(
  "receive-on-main", "Move what a subscriber does to the main thread, and see who runs what.",
  showsThreads: true)

let address = "https://api.example.com/status"
let answer = StubResponse.text("all well", after: .milliseconds(40))

// region: main-queue
scenario.part("DispatchQueue.main") { world in
  world.network.stub(.get, address, responses: answer)
  world.session
    .dataTaskPublisher(for: world.url(address))
    .map { element in
      // note: Where the session calls back: not on the main thread.
      print("map: on the main thread?", Thread.isMainThread)
      return String(decoding: element.data, as: UTF8.self)
    }
    // note: From here on, each value and the completion is a block of the main queue.
    .receive(on: DispatchQueue.main)
    .sink(
      receiveCompletion: { print("completion:", $0, "- on the main thread?", Thread.isMainThread) },
      // note: Where a view would be updated.
      receiveValue: { print("value:", $0, "- on the main thread?", Thread.isMainThread) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: run-loop
scenario.part("RunLoop.main") { world in
  world.network.stub(.get, address, responses: answer)
  world.session
    .dataTaskPublisher(for: world.url(address))
    .map { String(decoding: $0.data, as: UTF8.self) }
    // note: The same by way of the run loop, which is served by the same thread.
    .receive(on: RunLoop.main)
    .sink(
      receiveCompletion: { print("completion:", $0, "- on the main thread?", Thread.isMainThread) },
      receiveValue: { print("value:", $0, "- on the main thread?", Thread.isMainThread) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: mixed
scenario.part("Several subscribers, one order") { world in
  world.network.stub(.get, address, responses: answer)
  let status = world.session
    .dataTaskPublisher(for: world.url(address))
    .map { String(decoding: $0.data, as: UTF8.self) }
    .assertNoFailure()
    .share()
  status.receive(on: RunLoop.main).sink { print("by the run loop:", $0) }
    .store(in: &world.cancellables)
  status.receive(on: DispatchQueue.main).sink { print("by the main queue:", $0) }
    .store(in: &world.cancellables)
  // note: No hop: this runs where the session calls back, before any of the others.
  status.sink { print("directly:", $0) }
    .store(in: &world.cancellables)
  status.receive(on: RunLoop.main).sink { print("by the run loop again:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
