struct User: Codable {
  let name: String
  let userID: String
}
