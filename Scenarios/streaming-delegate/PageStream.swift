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
      chunks.send(completion: .failure(URLError(ofTask: error)))
    } else {
      chunks.send(completion: .finished)
    }
  }
}

extension URLError {
  /// The error of a task, with its code and its `userInfo`. On Linux, `as? URLError` is `nil` for
  /// an `NSError`, and a `URLProtocol` may fail with one.
  init(ofTask error: any Error) {
    let error = error as NSError
    let code = error.domain == NSURLErrorDomain ? Code(rawValue: error.code) : nil
    self.init(code ?? .unknown, userInfo: code == nil ? [:] : error.userInfo)
  }
}
// endregion
