import ScenarioKit

extension URLResponse {
  /// Whether this is a successful response with an HTML page.
  var isPage: Bool {
    guard let response = self as? HTTPURLResponse else { return false }
    return (200...299).contains(response.statusCode) && response.mimeType == "text/html"
  }
}
