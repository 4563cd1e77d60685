import Foundation
import TestSupport
import Testing
import Timeline
import VirtualWorld

@testable import ScenarioKit

@Suite struct LiveNetworkTests {
  /// Logs its calls, each with the latest event of the record and the thread.
  private final class LoggingDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    let log = CallLog()
    private let timeline: Timeline
    private let thread = Thread.current

    init(_ timeline: Timeline) { self.timeline = timeline }

    private func note(_ call: String) {
      let place = Thread.current === thread ? "" : " elsewhere"
      guard case .network(let event)? = timeline.recording.events.last?.kind else { return }
      log.append("\(event): \(call)\(place)")
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      note("response")
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      note("data")
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      note("end")
    }
  }

  /// Makes a request, runs all callbacks on this thread, and returns the log of the delegate.
  private func log(of response: Data) throws -> [String] {
    let server = try LoopbackServer { _ in response }
    let timeline = Timeline(now: { .zero })
    let network = LiveNetwork(server: try ServerURL(server.url), log: RequestLog(timeline))
    let delegate = LoggingDelegate(timeline)
    let session = network.makeSession(delegate: delegate)
    session.dataTask(with: URL(absolute: "https://example.com/page")).resume()
    while !network.openRequests.isEmpty {
      if !network.runCallback() { network.wait(atMost: .seconds(1)) }
    }
    network.invalidate()
    #expect(network.requestCount == 1)
    return delegate.log.lines
  }

  @Test func aDelegateIsCalledAfterEachEventIsRecorded() throws {
    #expect(
      try log(of: LoopbackServer.response("hello")) == [
        "200 OK: response", "5 bytes: data", "finished: end",
      ])
  }

  @Test func aBodyHasALimit() throws {
    let long = LoopbackServer.response(String(repeating: "a", count: 2 << 20))
    #expect(
      try log(of: long).filter { !$0.hasSuffix("data") } == [
        "200 OK: response", "failed: dataLengthExceedsMaximum: end",
      ])
  }
}
