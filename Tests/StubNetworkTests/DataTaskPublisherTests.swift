import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DataTaskPublisherTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() { network = StubNetwork(clock: clock) }

  private func subscribe(
    to path: String, demand: Subscribers.Demand = .unlimited
  ) -> Recorder {
    let recorder = Recorder(clock, demand: demand)
    network.makeSession().dataTaskPublisher(for: .example(path)).subscribe(recorder)
    return recorder
  }

  @Test func deliversBodyAndResponseWhenTheResponseIsComplete() throws {
    network.stub(
      .get, "https://example.com/user",
      responses: .json(#"{"name":"Ada"}"#, after: .milliseconds(120)))
    let recorder = subscribe(to: "user")
    clock.run()
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

  @Test func deliversAnErrorStatusAsAValue() throws {
    network.stub(.get, "https://example.com/user", responses: .status(500, after: .seconds(1)))
    let recorder = subscribe(to: "user")
    clock.run()
    #expect(
      recorder.lines == ["0 subscription DataTaskPublisher", "1s value 500 ", "1s finished"])
    try network.verify()
  }

  @Test func failsWithTheNetworksError() throws {
    network.stub(
      .get, "https://example.com/user", responses: .failure(.timedOut, after: .seconds(60)))
    let recorder = subscribe(to: "user")
    clock.run()
    #expect(
      recorder.lines == ["0 subscription DataTaskPublisher", "60s failure timedOut"])
    try network.verify()
  }

  @Test func joinsTheChunksOfABody() throws {
    network.stub(
      .get, "https://example.com/poem",
      responses: .chunked(
        chunks: [
          .init("The ", after: .milliseconds(10)), .init("rose ", after: .milliseconds(20)),
          .init("is red", after: .milliseconds(30)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(1))))
    let recorder = subscribe(to: "poem")
    clock.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher",
        "161ms value 200 The rose is red",
        "161ms finished",
      ])
    #expect(
      network.events.dropFirst().map(\.description) == [
        "100ms request 1: response 200",
        "110ms request 1: chunk of 4 bytes, 4 in all",
        "130ms request 1: chunk of 5 bytes, 9 in all",
        "160ms request 1: chunk of 6 bytes, 15 in all",
        "161ms request 1: finished",
      ])
  }

  @Test func joinsTheChunksEvenIfTheSessionHasADataDelegate() {
    network.stub(
      .get, "https://example.com/poem", responses: .chunked(chunks: [.init("ab"), .init("cd")]))
    let delegate = StreamingDelegate(clock)
    let recorder = Recorder(clock)
    network.makeSession(delegate: delegate).dataTaskPublisher(for: .example("poem"))
      .subscribe(recorder)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["0 value 200 abcd", "0 finished"])
    #expect(delegate.lines == [])
  }

  @Test func dropsTheChunksOfABrokenBody() {
    network.stub(
      .get, "https://example.com/poem",
      responses: .chunked(
        chunks: [.init("The ")], latency: .milliseconds(5),
        end: .fail(.networkConnectionLost, after: .milliseconds(5))))
    let recorder = subscribe(to: "poem")
    clock.run()
    #expect(recorder.lines.dropFirst() == ["10ms failure networkConnectionLost"])
  }

  // MARK: Demand

  @Test func makesNoRequestBeforeTheFirstDemand() throws {
    network.stub(.get, "https://example.com/user", responses: .status(204))
    let recorder = subscribe(to: "user", demand: .none)
    clock.run()
    #expect(network.events == [])
    clock.schedule(after: .seconds(3)) { recorder.request(.max(1)) }
    clock.run()
    #expect(
      recorder.lines == ["0 subscription DataTaskPublisher", "3s value 204 ", "3s finished"])
  }

  @Test func makesOneRequestHoweverOftenDemandComes() throws {
    network.stub(.get, "https://example.com/user", responses: .status(204, after: .seconds(1)))
    let recorder = subscribe(to: "user", demand: .max(1))
    recorder.request(.max(2))
    clock.settle()
    recorder.request(.unlimited)
    clock.run()
    recorder.request(.max(1))
    clock.run()
    #expect(recorder.lines.dropFirst() == ["1s value 204 ", "1s finished"])
    try network.verify()
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let clock = VirtualTimeScheduler()
      let recorder = Recorder(clock, demand: .none)
      StubNetwork(clock: clock).makeSession().dataTaskPublisher(for: .example("user"))
        .subscribe(recorder)
      recorder.request(.none)
    }
  }

  // MARK: Cancellation

  @Test func cancelBeforeDemandMakesNoRequest() {
    let recorder = subscribe(to: "user", demand: .none)
    recorder.cancel()
    recorder.request(.max(1))
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher"])
    #expect(network.events == [])
  }

  @Test func cancelEndsTheTaskAndDeliversNothing() throws {
    network.stub(.get, "https://example.com/user", responses: .json("{}", after: .seconds(9)))
    let recorder = subscribe(to: "user")
    clock.schedule(after: .seconds(2)) {
      recorder.cancel()
      recorder.cancel()
    }
    clock.run()
    #expect(recorder.lines == ["0 subscription DataTaskPublisher"])
    #expect(
      network.events.map(\.description) == [
        "0 request 1: GET https://example.com/user",
        "2s request 1: cancelled after 0 bytes",
      ])
    #expect(clock.now == .seconds(2), "the clock doesn't run on to the response")
    try network.verify()
  }

  @Test func cancelAtOnceIsSeenByTheNetwork() {
    network.stub(.get, "https://example.com/user", responses: .json("{}", after: .seconds(9)))
    subscribe(to: "user").cancel()
    clock.run()
    #expect(
      network.events.map(\.description) == [
        "0 request 1: GET https://example.com/user",
        "0 request 1: cancelled after 0 bytes",
      ])
  }

  @Test func cancelAfterTheCompletionDoesNothing() {
    network.stub(.get, "https://example.com/user", responses: .json("{}"))
    let recorder = subscribe(to: "user")
    clock.run()
    let events = network.events
    recorder.cancel()
    clock.run()
    #expect(network.events == events)
    #expect(recorder.lines.last == "0 finished")
  }

  @Test func cancelWhileTheValueIsDeliveredSuppressesTheCompletion() {
    network.stub(.get, "https://example.com/user", responses: .json("{}"))
    let recorder = Recorder(clock) { recorder, line in
      if line.contains("value") { recorder.cancel() }
    }
    network.makeSession().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    clock.run()
    #expect(recorder.lines.dropFirst() == ["0 value 200 {}"])
  }

  // MARK: Lifetime

  @Test(arguments: [false, true])
  func releasesTheSubscriberAtTheCompletionOrCancellation(byCancelling: Bool) {
    network.stub(.get, "https://example.com/user", responses: .json("{}", after: .seconds(1)))
    weak var released: Recorder?
    do {
      let recorder = subscribe(to: "user")
      released = recorder
      clock.settle()
      if byCancelling { recorder.cancel() }
      recorder.releaseSubscription()
    }
    #expect((released == nil) == byCancelling)
    clock.run()
    #expect(released == nil)
  }

  // MARK: Subscribers

  @Test func eachSubscriberMakesItsOwnRequest() throws {
    network.stub(
      .get, "https://example.com/count", responses: .text("1", after: .milliseconds(20)),
      .text("2", after: .milliseconds(10)))
    let publisher = network.makeSession().dataTaskPublisher(for: .example("count"))
    let recorders = [Recorder(clock), Recorder(clock)]
    for recorder in recorders { publisher.subscribe(recorder) }
    clock.run()
    #expect(recorders[0].lines.dropFirst() == ["20ms value 200 1", "20ms finished"])
    #expect(recorders[1].lines.dropFirst() == ["10ms value 200 2", "10ms finished"])
    try network.verify()
  }

  @Test func resubscribingAfterAFailureMakesANewRequest() throws {
    network.stub(
      .get, "https://example.com/user",
      responses: .failure(.networkConnectionLost, after: .milliseconds(30)),
      .failure(.timedOut, after: .milliseconds(30)), .json("{}", after: .milliseconds(30)))
    let publisher = network.makeSession().dataTaskPublisher(for: .example("user"))
    let recorder = Recorder(clock) { recorder, line in
      if line.contains("failure") { publisher.subscribe(recorder) }
    }
    publisher.subscribe(recorder)
    clock.run()
    #expect(
      recorder.lines == [
        "0 subscription DataTaskPublisher",
        "30ms failure networkConnectionLost",
        "30ms subscription DataTaskPublisher",
        "60ms failure timedOut",
        "60ms subscription DataTaskPublisher",
        "90ms value 200 {}",
        "90ms finished",
      ])
    #expect(
      network.events.map(\.description) == [
        "0 request 1: GET https://example.com/user",
        "30ms request 1: failed networkConnectionLost",
        "30ms request 2: GET https://example.com/user",
        "60ms request 2: failed timedOut",
        "60ms request 3: GET https://example.com/user",
        "90ms request 3: response 200 application/json",
        "90ms request 3: chunk of 2 bytes, 2 in all",
        "90ms request 3: finished",
      ])
    try network.verify()
  }
}
