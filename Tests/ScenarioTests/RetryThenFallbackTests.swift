import ScenarioKit
import Testing

/// The claims of the page retry-then-fallback that its transcript doesn't show.
@Suite struct RetryThenFallbackTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let url = URL(absolute: "https://example.com/quote")

  init() { network = StubNetwork(clock: clock) }

  private var requestCount: Int {
    network.events.count { if case .started = $0.kind { true } else { false } }
  }

  private func completion(of publisher: some Publisher) -> String {
    var text = "none"
    let subscription =
      publisher
      .sink(receiveCompletion: { text = stableText($0) }, receiveValue: { _ in })
    clock.run()
    subscription.cancel()
    return text
  }

  @Test func retryBelowDecodeRepeatsTheRequestInVain() {
    network.stub(.get, url, responses: StubResponse.text("not JSON").repeating)
    let quote = network.makeSession().dataTaskPublisher(for: url)
      .map { $0.data }
      .decode(type: [String].self, decoder: JSONDecoder())
      .retry(1)
    #expect(completion(of: quote) == "failure(DecodingError: not JSON)")
    #expect(requestCount == 2)
  }

  @Test func aStatusAloneIsNotRetried() {
    network.stub(.get, url, responses: StubResponse.status(503).repeating)
    #expect(
      completion(of: network.makeSession().dataTaskPublisher(for: url).retry(1)) == "finished")
    #expect(requestCount == 1)
  }

  @Test func aStatusIsRetriedBelowATryMapThatThrows() {
    network.stub(.get, url, responses: StubResponse.status(503).repeating)
    let quote = network.makeSession().dataTaskPublisher(for: url)
      .tryMap { element -> Data in
        guard (element.response as? HTTPURLResponse)?.statusCode == 200 else {
          throw URLError(.badServerResponse)
        }
        return element.data
      }
      .retry(1)
    #expect(completion(of: quote) == "failure(URLError.badServerResponse)")
    #expect(requestCount == 2)
  }

  @Test func aFutureFailsAgainWithoutDoingItsWorkAgain() {
    var attempts = 0
    func future() -> Future<Int, URLError> {
      Future { promise in
        attempts += 1
        promise(.failure(URLError(.timedOut)))
      }
    }
    #expect(completion(of: future().retry(1)) == "failure(URLError.timedOut)")
    #expect(attempts == 1)
    attempts = 0
    #expect(completion(of: Deferred { future() }.retry(1)) == "failure(URLError.timedOut)")
    #expect(attempts == 2)
  }
}
