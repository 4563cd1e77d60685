import ScenarioKit

// region: reports
func reportClientError(_ error: any Error) {
  print("client error:", error)
}

func reportServerError(_ response: URLResponse?) {
  print("server error:", response.map(stableText) ?? "no response")
}

func reportDecodingError(_ data: Data?) {
  print("decoding error:", data.map { "\(stableText($0)) that aren't UTF-8" } ?? "no data")
}
// endregion
