import ScenarioKit

let scenario = Scenario(
  "receive-on-main", "Move what a subscriber does to the main thread, and see who runs what.",
  showsThreads: true)

let address = "https://api.example.com/status"
let url = URL(string: address)!
let answer = Answer.text("all well", after: .milliseconds(40))

// region: main-queue
scenario.part("DispatchQueue.main") { world in
  world.network.stub(.get, address, answers: answer)
  world.session
    .dataTaskPublisher(for: url)
    .map { element in
      print("map: on the main thread?", Thread.isMainThread)  // (1)
      return String(decoding: element.data, as: UTF8.self)
    }
    .receive(on: DispatchQueue.main)  // (2)
    .sink(
      receiveCompletion: { print("completion:", $0, "- on the main thread?", Thread.isMainThread) },
      receiveValue: { print("value:", $0, "- on the main thread?", Thread.isMainThread) }  // (3)
    )
    .store(in: &world.cancellables)
}
// endregion

// region: run-loop
scenario.part("RunLoop.main") { world in
  world.network.stub(.get, address, answers: answer)
  world.session
    .dataTaskPublisher(for: url)
    .map { String(decoding: $0.data, as: UTF8.self) }
    .receive(on: RunLoop.main)  // (4)
    .sink(
      receiveCompletion: { print("completion:", $0, "- on the main thread?", Thread.isMainThread) },
      receiveValue: { print("value:", $0, "- on the main thread?", Thread.isMainThread) }
    )
    .store(in: &world.cancellables)
}
// endregion

// region: mixed
scenario.part("Several subscribers, one order") { world in
  world.network.stub(.get, address, answers: answer)
  let status = world.session
    .dataTaskPublisher(for: url)
    .map { String(decoding: $0.data, as: UTF8.self) }
    .assertNoFailure()
    .share()
  status.receive(on: RunLoop.main).sink { print("by the run loop:", $0) }
    .store(in: &world.cancellables)
  status.receive(on: DispatchQueue.main).sink { print("by the main queue:", $0) }
    .store(in: &world.cancellables)
  status.sink { print("directly:", $0) }  // (5)
    .store(in: &world.cancellables)
  status.receive(on: RunLoop.main).sink { print("by the run loop again:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
