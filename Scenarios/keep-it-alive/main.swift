import ScenarioKit

let scenario = Scenario(
  "keep-it-alive", "Keep a subscription, drop it, and see which object keeps which.",
  refusesServers: "it makes no requests")

// region: dropped
scenario.part("The result of sink is dropped") { world in
  // note: `_ =` tells the compiler that you don't need the result.
  _ = seconds(in: world).sink { print("second", $0) }
  print("subscribed")
}
// endregion

// region: kept
scenario.part("The closure refers to the view weakly") { world in
  let window = Window(ClockView())
  window.view?.follow(seconds(in: world))
  world.at(.milliseconds(50)) { window.close() }
  // note: Prints who keeps whom, before the window closes and after that.
  window.showKeepers(at: 45, 55, in: world)
}
// endregion

// region: cycle
scenario.part("The closure refers to the view strongly") { world in
  let window = Window(ClockView())
  // note: The only line that differs.
  window.view?.followStrongly(seconds(in: world))
  world.at(.milliseconds(50)) { window.close() }
  window.showKeepers(at: 45, 55, in: world)
}
// endregion

scenario.run()
