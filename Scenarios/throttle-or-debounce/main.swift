import ScenarioKit

let scenario = Scenario(
  "throttle-or-debounce", "Follow a finger with throttle, and wait for it with debounce.",
  refusesServers: "it makes no requests")

// region: throttle
scenario.part("The preview") { world in
  let slider = Slider(world)
  slider.move(at: [100, 200, 300, 400, 1_000, 1_100], endingAt: 2_000)
  slider.positions
    .lane("slider")
    // note: After each value, nothing for 250 ms. Then the newest of that time, if there is one.
    .throttle(for: .milliseconds(250), scheduler: DispatchQueue.main, latest: true)
    .lane("throttle")
    .sink { print("preview:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: debounce
scenario.part("Saving") { world in
  let slider = Slider(world)
  slider.move(at: [100, 200, 300, 400, 1_000, 1_100], endingAt: 2_000)
  slider.positions
    .lane("slider")
    // note: A value, once no newer one has arrived for 300 ms.
    .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
    .lane("debounce")
    .sink { print("save:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: both
scenario.part("A finger that never rests") { world in
  let slider = Slider(world)
  slider.move(at: [100, 220, 340, 460, 580, 700, 820, 940], endingAt: 2_000)
  slider.positions
    .lane("slider")
    .throttle(for: .milliseconds(250), scheduler: DispatchQueue.main, latest: true)
    .lane("throttle")
    .sink { print("preview:", $0) }
    .store(in: &world.cancellables)
  slider.positions
    .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
    .lane("debounce")
    .sink { print("save:", $0) }
    .store(in: &world.cancellables)
}
// endregion

// region: first
scenario.part("The first of each interval") { world in
  let slider = Slider(world)
  slider.move(at: [100, 200, 300, 400, 1_000, 1_100], endingAt: 2_000)
  slider.positions
    .lane("slider")
    .throttle(for: .milliseconds(250), scheduler: DispatchQueue.main, latest: false)
    .lane("throttle")
    .sink { print("preview:", $0) }
    .store(in: &world.cancellables)
}
// endregion

scenario.run()
