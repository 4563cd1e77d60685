import ScenarioKit
import Testing

/// The claims of the page decode-user that its transcript doesn't show.
@Suite struct DecodeUserTests {
  struct User: Codable, Equatable {
    let name: String
  }

  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let url = URL(absolute: "https://example.com/user")

  init() { network = StubNetwork(clock: clock) }

  /// Returns the signals that a subscriber receives if a 500 with this body isn't checked.
  private func historyWithoutStatusCheck(body: String) -> [String] {
    network.stub(.get, url, responses: .json(body, status: 500))
    var history: [String] = []
    let subscription = network.makeSession().dataTaskPublisher(for: url)
      .map { $0.data }
      .decode(type: User.self, decoder: JSONDecoder())
      .sink(
        receiveCompletion: { history.append(stableText($0)) },
        receiveValue: { history.append($0.name) })
    clock.run()
    subscription.cancel()
    return history
  }

  @Test func withoutTheStatusCheckA500WithAUserSucceeds() {
    #expect(historyWithoutStatusCheck(body: #"{"name": "Ada"}"#) == ["Ada", "finished"])
  }

  @Test func withoutTheStatusCheckTheErrorDoesNotNameTheStatus() {
    #expect(
      historyWithoutStatusCheck(body: #"{"reason": "out of order"}"#)
        == [#"failure(DecodingError: no "name")"#])
  }

  @Test func aBodyThatIsAnErrorPageIsNotJSON() {
    #expect(
      historyWithoutStatusCheck(body: "<h1>Sorry</h1>") == ["failure(DecodingError: not JSON)"])
  }

  @Test func aSubscriptionThatIsNotKeptCancelsItsRequest() {
    network.stub(.get, url, responses: .json(#"{"name": "Ada"}"#, after: .milliseconds(120)))
    var history: [String] = []
    _ = network.makeSession().dataTaskPublisher(for: url)
      .sink(
        receiveCompletion: { history.append(stableText($0)) },
        receiveValue: { history.append(stableText($0.data)) })
    clock.run()
    #expect(history == [])
    #expect(
      network.events.map(\.kind) == [
        .started(method: "GET", url: url.absoluteString), .cancelled(bytes: 0),
      ])
  }
}
