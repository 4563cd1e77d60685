import StreamsFoundation

func load(_ url: URL) {
  let handler: (Data?, URLResponse?, (any Error)?) -> Void = { _, _, _ in }
  URLSession.shared.dataTask(with: url, completionHandler: handler).resume()
}
