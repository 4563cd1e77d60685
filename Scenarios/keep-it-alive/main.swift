import ScenarioKit

let scenario = Scenario(
  "keep-it-alive", "Keep a subscription, drop it, and see which object keeps which.",
  refusesServers: "it makes no requests")

// region: dropped
scenario.part("The subscription is dropped") { world in
  let seconds = PassthroughSubject<Int, Never>()
  tick(seconds, in: world)
  // note: `_ =` drops what `sink` returns, at the end of this statement.
  _ =
    seconds
    .lane("seconds")
    .sink { print("second", $0) }
  print("subscribed")
}
// endregion

// region: kept
scenario.part("The view keeps the subscription") { world in
  let seconds = PassthroughSubject<Int, Never>()
  tick(seconds, in: world)
  var view: ClockView? = ClockView()
  view?.follow(seconds.lane("seconds"))
  world.at(.milliseconds(50)) {
    print("the window closes")
    view = nil
  }
}
// endregion

// region: cycle
scenario.part("The subscription keeps the view") { world in
  let seconds = PassthroughSubject<Int, Never>()
  tick(seconds, in: world)
  var view: ClockView? = ClockView()
  // note: The only line that differs.
  view?.followStrongly(seconds.lane("seconds"))
  world.at(.milliseconds(50)) {
    print("the window closes")
    view = nil
  }
}
// endregion

scenario.run()
