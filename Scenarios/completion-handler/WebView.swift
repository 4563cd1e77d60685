import ScenarioKit

// region: view
/// Where a page is shown. As a view does, it belongs to the main thread, and the compiler knows.
@MainActor
final class WebView {
  nonisolated init() {}

  func loadHTMLString(_ string: String, baseURL: URL) {
    print("page:", string, "- on the main thread?", Thread.isMainThread)
  }
}

func handleClientError(_ error: any Error) {
  print("client error:", error)
}

func handleServerError(_ response: URLResponse?) {
  print("server error:", response.map(stableText) ?? "no response")
}
// endregion
