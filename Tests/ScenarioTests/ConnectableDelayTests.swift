import ScenarioKit
import Testing

/// The claims of the page connectable-delay that its transcript doesn't show.
@Suite struct ConnectableDelayTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork
  private let url = URL(absolute: "https://example.com/headline")

  init() {
    network = StubNetwork(clock: clock)
    network.stub(
      .get, url, responses: StubResponse.text("Hello", after: .milliseconds(50)).repeating)
  }

  private var headline: some Publisher<String, Never> {
    network.makeSession().dataTaskPublisher(for: url)
      .map { String(decoding: $0.data, as: UTF8.self) }
      .replaceError(with: "no headline")
  }

  private var requestCount: Int {
    network.events.count { if case .started = $0.kind { true } else { false } }
  }

  private final class History {
    var lines: [String] = []
    var cancellables: Set<AnyCancellable> = []

    func subscribe(_ name: String, to headline: some Publisher<String, Never>) {
      headline
        .sink(
          receiveCompletion: { self.lines.append("\(name): \($0)") },
          receiveValue: { self.lines.append("\(name): \($0)") }
        )
        .store(in: &cancellables)
    }
  }

  @Test func makeConnectableAloneSendsOneRequestForTwoSubscribers() {
    let connectable = headline.makeConnectable()
    let history = History()
    history.subscribe("first", to: connectable)
    history.subscribe("second", to: connectable)
    connectable.connect().store(in: &history.cancellables)
    clock.run()
    #expect(
      history.lines == ["first: Hello", "second: Hello", "first: finished", "second: finished"])
    #expect(requestCount == 1)
  }

  @Test func withShareConnectingTwiceDeliversTheValueTwice() {
    let connectable = headline.share().makeConnectable()
    let history = History()
    history.subscribe("first", to: connectable)
    for _ in 0..<2 { connectable.connect().store(in: &history.cancellables) }
    clock.run()
    #expect(history.lines == ["first: Hello", "first: Hello", "first: finished"])
    #expect(requestCount == 1)
  }

  @Test func withoutShareConnectingTwiceSendsTwoRequests() {
    let connectable = headline.makeConnectable()
    let history = History()
    history.subscribe("first", to: connectable)
    for _ in 0..<2 { connectable.connect().store(in: &history.cancellables) }
    clock.run()
    #expect(history.lines == ["first: Hello", "first: finished"])
    #expect(requestCount == 2)
  }

  @Test func aConnectionThatIsNotKeptCancelsTheRequest() {
    let connectable = headline.makeConnectable()
    let history = History()
    history.subscribe("first", to: connectable)
    _ = connectable.connect()
    clock.run()
    #expect(history.lines == [])
    #expect(
      network.events.map(\.kind)
        == [.started(method: "GET", url: url.absoluteString), .cancelled(bytes: 0)])
  }
}
