import ScenarioKit

// region: keystrokes
/// When the user types, and the text after that. To keep the list short, `swi` isn't in it.
let keystrokes: [(VirtualTime, String)] = [
  (.zero, "s"), (.milliseconds(100), "sw"),
  (.milliseconds(600), "swif"), (.milliseconds(700), "swift"),
  (.milliseconds(2200), "swiftu"), (.milliseconds(2300), "swift"),
]
// endregion
