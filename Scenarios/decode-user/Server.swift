import ScenarioKit

// region: responses
let adaURL = URL(absolute: "https://api.example.com/users/ada")
let adaResponse = StubResponse.json(
  #"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120))

// Slow, so that no response comes before the release.
let slowAdaURL = URL(absolute: "https://api.example.com/users/ada/slow")
let slowAdaResponse = StubResponse.json(
  #"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .seconds(10))

let outOfOrderURL = URL(absolute: "https://api.example.com/users/out-of-order")
let outOfOrderResponse = StubResponse.json(
  #"{"reason": "out of order"}"#, status: 500, after: .milliseconds(80))

let namelessURL = URL(absolute: "https://api.example.com/users/nameless")
let namelessResponse = StubResponse.json(#"{"userID": "nameless"}"#, after: .milliseconds(120))

let lostURL = URL(absolute: "https://api.example.com/users/lost")
let lostResponse = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
