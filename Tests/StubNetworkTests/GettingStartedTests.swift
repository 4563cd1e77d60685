import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

// The code in docs/getting-started.md.

// region: test
/// Code under test: if the first request fails, waits for two seconds and makes another one.
func loadGreeting(
  from url: URL, with session: URLSession, on scheduler: some Scheduler
) -> AnyPublisher<String, URLError> {
  session.dataTaskPublisher(for: url)
    .catch { _ in
      Just(url)
        .delay(for: .seconds(2), scheduler: scheduler)
        .flatMap { session.dataTaskPublisher(for: $0) }
    }
    .map { String(decoding: $0.data, as: UTF8.self) }
    .eraseToAnyPublisher()
}

@Test func aFailedLoadIsTriedOnceMore() throws {
  let clock = VirtualTimeScheduler()
  let network = StubNetwork(clock: clock)
  network.stub(
    .get, "https://example.com/greeting",
    responses: .failure(.networkConnectionLost, after: .milliseconds(10)),
    .text("hello", after: .milliseconds(30)))

  var history: [String] = []
  let url = try #require(URL(string: "https://example.com/greeting"))
  let subscription = loadGreeting(from: url, with: network.makeSession(), on: clock)
    .sink(
      receiveCompletion: { history.append("\(clock.now): \($0)") },
      receiveValue: { history.append("\(clock.now): \($0)") })
  clock.run()

  #expect(history == ["2040ms: hello", "2040ms: finished"])
  try network.verify()
  subscription.cancel()
}
// endregion
