import StreamsFoundation

func load(_ url: URL, completion: @escaping (Data?, URLResponse?, Error?) -> Void) {
  URLSession.shared.dataTask(with: url, completionHandler: completion).resume()
}
