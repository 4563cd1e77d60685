import ScenarioKit

let scenario = Scenario(
  "subjects", "Send values yourself, and see what a subscriber gets that comes late.",
  refusesServers: "it makes no requests")

// region: cold
scenario.part("A cold stream") { world in
  show(diary(), on: "kitchen", in: world)
  world.at(.milliseconds(25)) { show(diary(), on: "hall", in: world) }
}
// endregion

// region: hot
scenario.part("A subject") { world in
  let thermometer = PassthroughSubject<Int, Never>()
  measure(with: thermometer, in: world)
  show(thermometer, on: "kitchen", in: world)
  world.at(.milliseconds(25)) { show(thermometer, on: "hall", in: world) }
}
// endregion

// region: current
scenario.part("A subject with a current value") { world in
  // note: 17 is the value before the first measurement.
  let thermometer = CurrentValueSubject<Int, Never>(17)
  measure(with: thermometer, in: world)
  show(thermometer, on: "kitchen", in: world)
  world.at(.milliseconds(25)) { show(thermometer, on: "hall", in: world) }
}
// endregion

// region: late
scenario.part("After the end") { world in
  let thermometer = CurrentValueSubject<Int, Never>(17)
  measure(with: thermometer, in: world)
  world.at(.milliseconds(50)) { show(thermometer, on: "hall", in: world) }
}
// endregion

scenario.run()
