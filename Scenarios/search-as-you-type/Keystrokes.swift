import ScenarioKit

// region: keystrokes
/// The text in the field after each keystroke.
let keystrokes: [(VirtualTime, String)] = [
  (.zero, "s"), (.milliseconds(100), "sw"),
  (.milliseconds(600), "swif"), (.milliseconds(700), "swift"),
  (.milliseconds(2200), "swiftu"), (.milliseconds(2300), "swift"),
]
// endregion
