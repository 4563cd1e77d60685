import StreamsFoundation
import StubNetwork
import Synchronization
import VirtualTime

/// Stubbed requests: how many per second, how much memory and how many open files remain, and
/// whether a request costs more if many others are open.
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

  /// The numbers of open requests to compare.
  static let widths = [1, 200, 1_000, 4_000]

  /// The ratio of the time with the largest width to that with the smallest, at most.
  static let widthTarget = 1.5

  /// The seconds that 4,000 requests take at each width: the best of five runs, which are taken in
  /// turn so that a busy machine slows all widths down alike.
  static func secondsByWidth() -> [Double] {
    var best = widths.map { _ in Double.infinity }
    for _ in 0..<5 {
      for (index, width) in widths.enumerated() {
        let seconds = elapsed { makeRequests(4_000, width: width) } / 1e9
        best[index] = min(best[index], seconds)
      }
    }
    return best
  }

  /// Keeps a number of requests open: each that ends starts another one.
  private static func makeRequests(_ count: Int, width: Int) {
    // All 4,000 requests may end at the same instant, with three actions each.
    let clock = VirtualTimeScheduler(limits: .init(actionsAtOneInstant: 100_000))
    let network = StubNetwork(clock: clock)
    network.stub(
      .get, url.absoluteString,
      responses: .data(body, type: "application/json", after: .milliseconds(10)).repeating)
    let session = network.makeSession()
    let started = Atomic(0)
    @Sendable func start() {
      guard started.add(1, ordering: .relaxed).newValue <= count else { return }
      session.dataTask(with: url) { _, _, _ in start() }.resume()
    }
    for _ in 0..<width { start() }
    clock.run()
    precondition(network.events.count { $0.kind == .finished } == count)
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
