import ScenarioKit

// region: view
/// A view that shows a page. It belongs to the main thread, and the compiler checks that.
@MainActor
final class WebView {
  nonisolated init() {}

  func show(_ html: String, baseURL: URL) {
    print("page:", html, "- on the main thread?", Thread.isMainThread)
  }
}
// endregion
