import TodoAPI

@testable import ScenarioServer

/// The requests that the server can't know: they're neither in the script nor in the API.
///
/// - Parameter requests: Each with its method, path and query, such as `GET /search?q=sw`.
func unserved(_ requests: [String]) -> [String] {
  let api = TodoAPI.model { 0 }
  // The API's reply to a path that it doesn't have.
  let unknown = api.reply(to: TodoRequest(method: "GET", path: "/no-such-path"))
  return requests.filter { request in
    let words = request.split(separator: " ").map(String.init)
    guard words.count == 2 else { return true }
    let path = String(words[1].prefix { $0 != "?" })
    let isInScript = scriptedPaths[words[1]] != nil || scriptedPaths[path] != nil
    if isInScript && ["GET", "HEAD"].contains(words[0]) { return false }
    let reply = api.reply(to: TodoRequest(method: words[0], path: path))
    return reply == unknown || reply.status == 405
  }
}
