import ScenarioKit

let headlineURL = URL(absolute: "https://api.example.com/headline")
let headlineResponse = StubResponse.text("Engine weaves algebra", after: .milliseconds(50))
