import ScenarioKit

// region: server
let adaURL = URL(absolute: "https://api.example.com/users/ada")
let lostOnceURL = URL(absolute: "https://api.example.com/users/ada/lost-once")

let adaResponse = StubResponse.json(
  #"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120))
let lost = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
