import ScenarioKit

// region: view
/// Where a page is shown. As a view does, it belongs to the main thread, and the compiler knows.
@MainActor
final class WebView {
  nonisolated init() {}

  func show(_ html: String, baseURL: URL) {
    print("page:", html, "- on the main thread?", Thread.isMainThread)
  }
}

func reportNoAnswer(_ error: any Error) {
  print("client error:", error)
}

func reportWrongAnswer(_ response: URLResponse?) {
  print("server error:", response.map(stableText) ?? "no response")
}
// endregion
