import StreamsFoundation
import VirtualTime

/// A session delegate that records its calls and their times.
final class StreamingDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let clock: VirtualTimeScheduler
  private let onLine: @Sendable (String) -> Void
  private let onData: @Sendable (URLSessionDataTask) -> Void
  private let state = Locked<[String]>([])

  init(
    _ clock: VirtualTimeScheduler, onLine: @escaping @Sendable (String) -> Void = { _ in },
    onData: @escaping @Sendable (URLSessionDataTask) -> Void = { _ in }
  ) {
    self.clock = clock
    self.onLine = onLine
    self.onData = onData
  }

  var lines: [String] { state.withLock { $0 } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    write("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    write("data \(String(decoding: data, as: UTF8.self))")
    onData(dataTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    write(error.map { "error \(($0 as? URLError).map { "\($0.code)" } ?? "\($0)")" } ?? "end")
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    write("invalid")
  }

  private func write(_ event: String) {
    let line = "\(clock.now) \(event)"
    state.withLock { $0.append(line) }
    onLine(event)
  }
}
