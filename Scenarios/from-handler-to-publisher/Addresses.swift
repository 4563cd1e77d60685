import ScenarioKit

// A server answers by address: here it knows Ada, there it loses every other request first.
let ada = "https://api.example.com/users/ada"
let lostOnce = "https://api.example.com/users/ada/lost-once"

// region: answers
let answer = StubResponse.json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120))
let lost = StubResponse.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
