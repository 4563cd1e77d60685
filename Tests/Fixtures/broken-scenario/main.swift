// A scenario with every mistake that a run can detect.

import ScenarioKit

let scenario = Scenario("broken-scenario", "Show how a run reports each mistake.")
let url = URL(string: "https://example.com/user")!

func load(in world: World) {
  world.session.dataTaskPublisher(for: url)
    .sink(
      receiveCompletion: { print("completion:", $0) },
      receiveValue: { print("value:", $0.data) }
    )
    .store(in: &world.cancellables)
}

scenario.part("A request without a stub") { world in
  world.network.stub(.get, "https://example.com/users", responses: .text("Ada"))
  load(in: world)
}

scenario.part("One response too few") { world in
  world.network.stub(.get, "https://example.com/user", responses: .text("Ada"))
  load(in: world)
  load(in: world)
}

scenario.part("A connection that never comes") { world in
  world.network.isConnected = false
  world.makeSession(waitsForConnectivity: true).dataTaskPublisher(for: url)
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { _ in })
    .store(in: &world.cancellables)
  world.makeSession(waitsForConnectivity: true).dataTask(with: url) { _, _, error in
    print("error:", error ?? "none")
  }.resume()
}

scenario.part("An endless repeat") { world in
  world.clock.schedule(after: .zero, interval: .milliseconds(10)) {}
    .store(in: &world.cancellables)
}

scenario.part("A timer that is never cancelled") { world in
  Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    .sink { _ in }
    .store(in: &world.cancellables)
}

scenario.part("A timer in a run loop mode that never runs") { world in
  Timer.publish(every: 1, on: .main, in: RunLoop.Mode("tracking")).autoconnect()
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("A timer on a run loop that never runs") { world in
  Timer.publish(every: 1, on: .current, in: .common).autoconnect()
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("Work on a run loop that never runs") { world in
  Just("lost")
    .receive(on: RunLoop.current)
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("A block on a thread outside the world") { _ in
  let isDone = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    for place in ["here", "there"] { print(place) }
    isDone.signal()
  }
  isDone.wait()
}

scenario.part("A task that goes on forever") { world in
  let clock = world.swiftClock
  Task {
    while true { try await clock.sleep(for: .seconds(1)) }
  }
}

scenario.part("A task that sleeps after the end") { world in
  let clock = world.swiftClock
  let numbers = PassthroughSubject<Int, Never>()
  numbers
    .handleEvents(receiveCancel: {
      Task { try await clock.sleep(for: .seconds(1)) }
      Task { try await Task.sleep(for: .seconds(2)) }
    })
    .sink { _ in }
    .store(in: &world.cancellables)
}

scenario.part("Tasks without a pause") { _ in
  Task {
    for _ in 0..<150_000 { await Task.yield() }
  }
}

scenario.part("No mistake") { world in
  world.network.stub(.get, "https://example.com/user", responses: .text("Ada"))
  load(in: world)
}

scenario.run()
