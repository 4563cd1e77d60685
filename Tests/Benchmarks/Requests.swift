import StreamsFoundation
import StubNetwork
import VirtualTime

/// Ten thousand stubbed requests in one process, one after another: how many a second, and what is
/// left of them in memory and open files.
enum Requests {
  struct Report {
    let perSecond: Int
    let memoryGrowth: Int
    let fileGrowth: Int
  }

  static let count = 10_000
  static let url = URL(string: "https://example.com/user")!
  static let body = Data(#"{"name": "Ada Lovelace"}"#.utf8)

  /// Through the real URLSession.
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
        network.run()
        subscription.cancel()
      }
    }
  }

  /// The same answers at the same virtual times, past URLSession.
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
    // The first ones set up what stays; growth counts from there.
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
