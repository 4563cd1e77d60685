import ScenarioKit

// region: values
struct NewUser: Encodable {
  let name: String
  let email: String
  let password: String
  let verifyPassword: String
}

struct User: Decodable {
  let id: Int
  let name: String
  let email: String
}

// note: Prints without what it holds, whoever prints it.
struct Token: Decodable, CustomStringConvertible {
  let string: String
  var description: String { "Token(…)" }
}

struct NewTodo: Encodable {
  let title: String
}

struct Todo: Decodable, Identifiable {
  let id: Int
  let title: String
}
// endregion

// region: errors
enum APIError: Error {
  case invalidURL
  case invalidResponse
  case refused(status: Int, reason: String?)
}
// endregion

struct Refusal: Decodable {
  let reason: String
}

extension APIError: CustomStringConvertible {
  var description: String {
    switch self {
    case .invalidURL: "APIError: no URL"
    case .invalidResponse: "APIError: no HTTP response"
    case .refused(let status, let reason): "APIError \(status): \(reason ?? "no reason given")"
    }
  }
}
