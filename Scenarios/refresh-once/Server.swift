import ScenarioKit

let apiURL = URL(absolute: "https://api.example.com")

extension World {
  /// A server that has forgotten the token "old".
  func startServer() {
    // region: server
    network.serve(apiURL.absoluteString) { request in
      let path = request.url?.path ?? ""
      if path == "/token" { return .text("new", after: .milliseconds(50)) }
      let isKnown = request.value(forHTTPHeaderField: "Authorization") == "new"
      return .text(
        isKnown ? "your \(path.dropFirst())" : "", status: isKnown ? 200 : 401,
        after: .milliseconds(path == "/news" ? 100 : 40))
    }
    // endregion
  }
}

// region: text
/// The text of a response; `nil` if the server refused the token.
func text(of request: URLRequest, _ session: URLSession) async throws -> String? {
  let (data, response) = try await session.data(for: request)
  switch (response as? HTTPURLResponse)?.statusCode {
  case 200: return String(decoding: data, as: UTF8.self)
  case 401: return nil
  default: throw URLError(.badServerResponse)
  }
}

func loadToken(_ session: URLSession) async throws -> String {
  print("refresh the token")
  var request = URLRequest(url: apiURL.appendingPathComponent("token"))
  request.httpMethod = "POST"
  guard let token = try await text(of: request, session) else {
    throw URLError(.userAuthenticationRequired)
  }
  return token
}
// endregion
