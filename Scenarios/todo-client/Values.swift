import ScenarioKit

/// A token. `print` shows `Token(…)`, so it can't slip into a log this way.
struct Token: Decodable, CustomStringConvertible {
  let string: String
  var description: String { "Token(…)" }
}

enum APIError: Error {
  case invalidURL
  case invalidResponse
  case refused(status: Int, reason: String?)
}

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

struct NewTodo: Encodable {
  let title: String
}

struct Todo: Decodable {
  let title: String
}

/// The body of a response with a status of 400 or more.
struct Refusal: Decodable {
  let reason: String
}

extension NewUser {
  /// Makes a user whose email address and password follow from the name.
  init(named name: String) {
    self.init(
      name: name, email: "\(name)@example.com", password: "\(name)'s password",
      verifyPassword: "\(name)'s password")
  }
}

extension NewUser: CustomStringConvertible {
  /// The name only, so that the password isn't printed.
  var description: String { "NewUser(\(name))" }
}

extension APIError: CustomStringConvertible {
  var description: String {
    switch self {
    case .invalidURL: "APIError: not a URL"
    case .invalidResponse: "APIError: not an HTTP response"
    case .refused(let status, let reason): "APIError \(status): \(reason ?? "no reason given")"
    }
  }
}
