import StreamsFoundation
import StubNetwork
import Testing

@Suite struct ResponseDispositionTests {
  /// On Linux. Apple's Foundation would cancel the task here.
  @Test func cancellingAResponseDoesNotStopItsBody() {
    let stub = StubbedLibrary()
    let url = library + "/books/1"
    stub.network.stub(
      .get, url,
      responses: .chunked(chunks: [.init("Sket"), .init("ch", after: .milliseconds(5))]))
    let reader = RefusingDelegate(lines: stub.lines)
    stub.network.makeSession(delegate: reader).dataTask(with: URL(string: url)!).resume()
    stub.clock.run()
    #expect(
      stub.lines.all == ["0 refused status 200", "0 4 bytes", "5ms 2 bytes", "5ms error: false"])
  }
}

// `@unchecked` because a session calls its delegate one call at a time, and the test reads the
// lines after the last call.
private final class RefusingDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lines: Lines

  init(lines: Lines) { self.lines = lines }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    lines.add("refused \(response.statusLine)")
    completionHandler(.cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    lines.add("\(data)")
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: Error?) {
    lines.add("error: \(error != nil)")
  }
}
