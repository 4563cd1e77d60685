import ScenarioKit

// region: responses
let quoteURL = URL(absolute: "https://api.example.com/quote")
let lostOnceURL = URL(absolute: "https://api.example.com/quote/lost-once")
let lostURL = URL(absolute: "https://api.example.com/quote/lost")
let mirrorURL = URL(absolute: "https://mirror.example.com/mirror/quote")
let slowMirrorURL = URL(absolute: "https://mirror.example.com/mirror/quote/slow")

let quoteResponse = StubResponse.text("Begin at the beginning.", after: .milliseconds(100))
let slowResponse = StubResponse.text("Begin at the beginning.", after: .seconds(10))
let lostResponse = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
