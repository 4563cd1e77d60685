import ScenarioKit

// region: user
struct User: Codable {
  let name: String
  let userID: String
}
// endregion
