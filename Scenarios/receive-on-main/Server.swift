import ScenarioKit

// region: responses
let statusURL = URL(absolute: "https://api.example.com/status")
let statusResponse = StubResponse.text("all well", after: .milliseconds(40))
// endregion
