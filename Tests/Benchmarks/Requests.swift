import StreamsFoundation
import StubNetwork
import VirtualTime

/// Ten thousand stubbed requests in one process, one after another: how many per second, and how
/// much memory and how many open files remain.
enum Requests {
  struct Report {
    let perSecond: Int
    let memoryGrowth: Int
    let fileGrowth: Int
  }

  static let count = 10_000
  static let url = URL(string: "https://example.com/user")!
  static let body = Data(#"{"name": "Ada Lovelace"}"#.utf8)

  /// Makes the requests through the real `URLSession`.
  static func throughURLSession() -> Report {
    measure { count in
      let clock = VirtualTimeScheduler()
      let network = StubNetwork(clock: clock)
      network.stub(
        .get, url.absoluteString,
        responses: .data(body, type: "application/json", after: .milliseconds(10)).repeating)
      let session = network.makeSession()
      for _ in 0..<count {
        let subscription = session.dataTaskPublisher(for: url)
          .sink(receiveCompletion: { _ in }, receiveValue: { Closures.total += $0.data.count })
        clock.run()
        subscription.cancel()
      }
    }
  }

  /// Delivers the same responses at the same virtual times, without `URLSession`.
  static func pastURLSession() -> Report {
    measure { count in
      let clock = VirtualTimeScheduler()
      let response = URLResponse(
        url: url, mimeType: "application/json", expectedContentLength: body.count,
        textEncodingName: nil)
      for _ in 0..<count {
        let subscription = Just((data: body, response: response))
          .delay(for: .milliseconds(10), scheduler: clock)
          .sink(receiveCompletion: { _ in }, receiveValue: { Closures.total += $0.data.count })
        clock.run()
        subscription.cancel()
      }
    }
  }

  private static func measure(_ makeRequests: (Int) -> Void) -> Report {
    // The first requests set up memory that stays, so growth is measured after them.
    makeRequests(count / 10)
    let (memory, files) = (residentKilobytes(), openFiles())
    let duration = ContinuousClock().measure { makeRequests(count) }
    return Report(
      perSecond: Int(Double(count) / (duration / .seconds(1))),
      memoryGrowth: residentKilobytes() - memory, fileGrowth: openFiles() - files)
  }

  private static func openFiles() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }
}
