import ScenarioKit

// region: delegate
/// Receives a page as it arrives. A session calls its delegate one call at a time, so that the
/// state needs no lock.
final class PageLoader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private var received = Data()
  private var expected: Int64 = 0
  private var isRefused = false

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    print("response:", response)
    guard let response = response as? HTTPURLResponse, (200...299).contains(response.statusCode),
      response.mimeType == "text/html"
    else {
      isRefused = true
      // note: Says that the body is not wanted. On Linux, Foundation pays no heed to it,
      completionHandler(.cancel)
      // note: so the task is cancelled too, and what still arrives is dropped.
      dataTask.cancel()
      return
    }
    expected = response.expectedContentLength
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard !isRefused else { return }
    received.append(data)
    // note: A chunk is what has arrived, not what the server has written.
    print("progress: \(received.count) of \(expected) bytes")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let received = received
    // note: A delegate is called off the main thread: what touches a view has to hop.
    DispatchQueue.main.async {
      if let error {
        print("failed:", error)
      } else {
        print("page:", String(decoding: received, as: UTF8.self))
      }
    }
  }
}
// endregion

// region: stream-delegate
/// The same as a stream: what arrives is sent on through a subject.
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
