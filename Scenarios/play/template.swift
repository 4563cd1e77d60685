import ScenarioKit
import StreamsTesting

let playground = Scenario("playground", "Change this code, save it, and drag what happens.")

// region: part
playground.part("Wait for a pause") { world in
  // Each sign is 100 ms: a letter is a value, and | is the end.
  world.hot("a-b-c-----d-e---|", frame: .milliseconds(100), as: "taps")
    .lane("taps")
    .debounce(for: .milliseconds(250), scheduler: DispatchQueue.main)
    .lane("debounce")
    .sink { print("on screen:", $0) }
    .store(in: &world.cancellables)
}
// endregion: part

playground.run()
