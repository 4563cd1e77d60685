import ScenarioKit

// A server answers by address: here it knows Ada, there it loses every other request first.
let ada = "https://api.example.com/users/ada"
let lostOnce = "https://api.example.com/users/ada/lost-once"

// region: answers
let answer = Answer.json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120))
let lost = Answer.failure(.networkConnectionLost, after: .milliseconds(60))
// endregion
