import ScenarioKit

// region: keystrokes
let keystrokes: [(VirtualTime, String)] = [
  (.zero, "s"), (.milliseconds(100), "sw"),
  (.milliseconds(600), "swif"), (.milliseconds(700), "swift"),
  (.milliseconds(2200), "swiftu"), (.milliseconds(2300), "swift"),
]
// endregion

func address(for query: String) -> String { "https://api.example.com/search?q=\(query)" }

// region: answers
func stubAnswers(in world: World) {
  // note: The shorter the question, the more there is to look through.
  world.network.stub(
    .get, address(for: "sw"),
    responses: .json(#"["sway", "swing", "swift"]"#, after: .milliseconds(1500)))
  world.network.stub(
    .get, address(for: "swift"),
    responses: .json(#"["swift", "swiftly"]"#, after: .milliseconds(200)))
}
// endregion
