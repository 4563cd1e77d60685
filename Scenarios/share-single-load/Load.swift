import ScenarioKit

struct User: Codable {
  let name: String
  let userID: String
}

let address = "https://api.example.com/users/ada"
let answer = StubResponse.json(#"{"name": "Ada Lovelace", "userID": "ada"}"#, after: .milliseconds(120))

// region: load
/// What a data task loads, in words that are the same in every run: `print()` would else show the
/// address of the response.
struct Load: CustomStringConvertible {
  let data: Data
  let response: URLResponse

  var description: String { "\(stableText(data)), \(stableText(response))" }
}
// endregion
