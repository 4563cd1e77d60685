import ScenarioKit

// region: page-stream
/// Sends each chunk of a page to a subject.
final class PageStream: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  let chunks = PassthroughSubject<Data, URLError>()

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    chunks.send(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    if let error {
      chunks.send(completion: .failure(error as? URLError ?? URLError(.unknown)))
    } else {
      chunks.send(completion: .finished)
    }
  }
}
// endregion
