import ScenarioKit

// region: error
/// Why there is no news.
enum NewsError: Error {
  case network(URLError)
  case tooLate
}
// endregion
