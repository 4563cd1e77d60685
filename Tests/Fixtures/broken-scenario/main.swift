// A scenario in which everything is wrong that a run can find out.

import ScenarioKit

let scenario = Scenario("broken-scenario", "Show what a run says of each mistake.")
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

scenario.part("An answer too few") { world in
  world.network.stub(.get, "https://example.com/user", responses: .text("Ada"))
  load(in: world)
  load(in: world)
}

scenario.part("A network that never comes") { world in
  world.network.isConnected = false
  world.makeSession(waitsForConnectivity: true).dataTaskPublisher(for: url)
    .sink(receiveCompletion: { print("completion:", $0) }, receiveValue: { _ in })
    .store(in: &world.cancellables)
  world.makeSession(waitsForConnectivity: true).dataTask(with: url) { _, _, error in
    print("error:", error ?? "none")
  }.resume()
}

scenario.part("A repeat without end") { world in
  world.clock.schedule(after: .zero, interval: .milliseconds(10)) {}
    .store(in: &world.cancellables)
}

scenario.part("A timer that nobody cancels") { world in
  Timer.publish(every: 1, on: .main, in: .common).autoconnect()
    .sink { _ in }
    .store(in: &world.cancellables)
}

scenario.part("A timer in a mode that nobody runs") { world in
  Timer.publish(every: 1, on: .main, in: RunLoop.Mode("tracking")).autoconnect()
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("A timer on a run loop that nobody runs") { world in
  Timer.publish(every: 1, on: .current, in: .common).autoconnect()
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("A run loop that nobody runs") { world in
  Just("lost")
    .receive(on: RunLoop.current)
    .sink { print($0) }
    .store(in: &world.cancellables)
}

scenario.part("A block beside the world") { _ in
  let isDone = DispatchSemaphore(value: 0)
  DispatchQueue.global().async {
    for place in ["here", "there"] { print(place) }
    isDone.signal()
  }
  isDone.wait()
}

scenario.part("All is well") { world in
  world.network.stub(.get, "https://example.com/user", responses: .text("Ada"))
  load(in: world)
}

scenario.run()
