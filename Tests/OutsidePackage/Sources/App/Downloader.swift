import StreamsFoundation

/// Downloads a text, and publishes how many bytes have arrived.
final class Downloader: NSObject, URLSessionDownloadDelegate {
  let bytes = CurrentValueSubject<Int64, Never>(0)
  let text = CurrentValueSubject<String?, any Error>(nil)

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    bytes.send(totalBytesWritten)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL
  ) {
    text.send(try? String(contentsOf: location, encoding: .utf8))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    bytes.send(completion: .finished)
    text.send(completion: error.map { .failure($0) } ?? .finished)
  }
}
