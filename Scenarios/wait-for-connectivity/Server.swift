import ScenarioKit

// region: server
let newsURL = URL(absolute: "https://api.example.com/news")
let newsResponse = StubResponse.text("All is well.", after: .milliseconds(100))
// endregion
