import StreamsFoundation

final class Reader {
  var text = ""

  func load(_ url: URL) {
    URLSession.shared.dataTask(with: url) { _, _, _ in self.text = "done" }.resume()
  }
}
