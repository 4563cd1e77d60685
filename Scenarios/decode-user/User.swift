import ScenarioKit

// region: user
struct User: Codable {
  let name: String
  let userID: String
}
// endregion

let address = "https://api.example.com/users/ada"
let url = URL(string: address)!
