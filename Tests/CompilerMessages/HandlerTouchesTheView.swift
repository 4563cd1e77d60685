import StreamsFoundation

@MainActor final class View { func show(_ text: String) {} }

func load(_ url: URL, into view: View) {
  URLSession.shared.dataTask(with: url) { _, _, _ in view.show("done") }.resume()
}
