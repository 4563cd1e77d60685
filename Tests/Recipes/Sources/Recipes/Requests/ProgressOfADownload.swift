import StreamsFoundation

// region: recipe
enum DownloadEvent: Equatable, Sendable {
  /// How many bytes have arrived, and how many there are in all; `nil` if the server doesn't say.
  case progress(received: Int, total: Int?)
  case finished(Data)
}

/// The delegate of one or more sessions. Its downloads are streams of progress, with the data at
/// the end.
final class DownloadDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var downloads:
    [URLSessionTask: (events: PassthroughSubject<DownloadEvent, URLError>, data: Data)] =
      [:]

  /// Downloads when it's subscribed to and asked for values. A slow subscriber gets the newest
  /// event. Fails with `URLError.badServerResponse` if the status isn't 2xx.
  ///
  /// - Parameter session: A session with this delegate.
  func download(_ url: URL, in session: URLSession) -> AnyPublisher<DownloadEvent, URLError> {
    Deferred {
      let task = session.dataTask(with: url)
      let events = PassthroughSubject<DownloadEvent, URLError>()
      self.lock.withLock { self.downloads[task] = (events, Data()) }
      return
        events
        .buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest)
        .handleEvents(
          receiveCancel: {
            _ = self.lock.withLock { self.downloads.removeValue(forKey: task) }
            session.cancel(task)
          },
          receiveRequest: { _ in task.resume() })
    }
    .eraseToAnyPublisher()
  }

  func urlSession(_ session: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
    let download = lock.withLock {
      downloads[task]?.data.append(data)
      return downloads[task]
    }
    let total = task.response.map { Int($0.expectedContentLength) } ?? -1
    download?.events.send(
      .progress(received: download?.data.count ?? 0, total: total < 0 ? nil : total))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let download = lock.withLock { downloads.removeValue(forKey: task) }
    guard let download else { return }
    if let error {
      download.events.send(completion: .failure(URLError(ofTask: error)))
    } else if let status = (task.response as? HTTPURLResponse)?.statusCode, status / 100 != 2 {
      download.events.send(completion: .failure(URLError(.badServerResponse)))
    } else {
      download.events.send(.finished(download.data))
      download.events.send(completion: .finished)
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

// region: cancel
extension URLSession {
  /// Cancels a task. Foundation on Linux can end the program if a session with a cache cancels a
  /// task that it's just starting, so there this waits until the task has started.
  func cancel(_ task: URLSessionDataTask) {
    guard let cache = configuration.urlCache else { return task.cancel() }
    // Foundation looks into the cache first, and starts the task then.
    cache.getCachedResponse(for: task) { _ in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { task.cancel() }
    }
  }
}
// endregion
