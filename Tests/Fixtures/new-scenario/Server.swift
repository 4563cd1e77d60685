import ScenarioKit

// write: Your responses, with one URL per behaviour: a server doesn't know which part asks.
// region: responses
let quoteURL = URL(absolute: "https://api.example.com/quote")
let quoteResponse = StubResponse.text("Begin at the beginning.", after: .milliseconds(100))

let lostURL = URL(absolute: "https://api.example.com/quote/lost")
let lostResponse = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
