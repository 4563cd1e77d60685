import ScenarioKit

let adaURL = URL(absolute: "https://api.example.com/users/ada")

let adaResponse = StubResponse.json(
  #"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120)
).repeating
