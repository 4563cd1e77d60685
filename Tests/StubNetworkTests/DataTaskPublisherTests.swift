import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DataTaskPublisherTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  @Test func deliversBodyAndResponseAtTheVirtualTimeOfTheAnswer() throws {
    network.stub(
      .get, "https://example.com/user",
      answers: .json(#"{"name":"Ada"}"#, after: .milliseconds(120)))
    let recorder = Recorder(clock)
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    network.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher",
        #"120ms value 200 {"name":"Ada"}"#,
        "120ms finished",
      ])
    #expect(
      network.events.map(\.description) == [
        "0 request 1: GET https://example.com/user",
        "120ms request 1: response 200 application/json",
        "120ms request 1: chunk of 14 bytes, 14 in all",
        "120ms request 1: finished",
      ])
    try network.verify()
  }
}
