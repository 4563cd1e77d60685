// Combine's promise, which isn't `@Sendable`.
import StreamsFoundation

func load(_ url: URL, _ promise: @escaping (Result<Data?, any Error>) -> Void) {
  URLSession.shared.dataTask(with: url) { data, _, _ in promise(.success(data)) }.resume()
}
