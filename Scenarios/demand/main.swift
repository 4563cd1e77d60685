import ScenarioKit

let scenario = Scenario(
  "demand", "Ask for as many values as you have room for, and keep what comes too early.",
  refusesServers: "it makes no requests")

// region: asks
scenario.part("The screen asks") { world in
  let screen = Screen()
  library()
    .lane("library")
    .map(makeThumbnail)
    .lane("map")
    .subscribe(screen)
  print("subscribed")
  world.at(.milliseconds(10)) { screen.ask(for: 3) }
  world.at(.milliseconds(20)) { screen.ask(for: 2) }
  world.at(.milliseconds(30)) { screen.close() }
}
// endregion

// region: camera
scenario.part("Photos from a camera") { world in
  let camera = PassthroughSubject<String, Never>()
  takePhotos(with: camera, in: world)
  let screen = Screen()
  camera
    .lane("camera")
    .subscribe(screen)
  screen.ask(for: 2)
  world.at(.milliseconds(35)) { screen.ask(for: 4) }
}
// endregion

// region: buffer
scenario.part("A buffer waits for both") { world in
  let camera = PassthroughSubject<String, Never>()
  takePhotos(with: camera, in: world)
  let screen = Screen()
  camera
    .lane("camera")
    // note: Keeps up to ten photos that came too early. If it's full, the oldest is dropped.
    .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
    .lane("buffer")
    .subscribe(screen)
  screen.ask(for: 2)
  world.at(.milliseconds(35)) { screen.ask(for: 4) }
}
// endregion

scenario.run()
