import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DataTaskPublisherTests {
  private let run = NetworkRun()

  // MARK: Responses

  static let responses: [(response: StubResponse, history: [String])] = [
    (
      StubResponse.json(#"{"name":"Ada"}"#, after: .milliseconds(120)),
      [
        "120ms request 1: 200 OK", "120ms request 1: 14 bytes", "120ms request 1: finished",
        #"120ms user: value 200 {"name":"Ada"}"#, "120ms user: finished",
      ]
    ),
    // An error status is a value.
    (
      .status(500, after: .seconds(1)),
      [
        "1s request 1: 500 Internal Server Error", "1s request 1: finished",
        "1s user: value 500 ", "1s user: finished",
      ]
    ),
    (
      .failure(.timedOut, after: .seconds(60)),
      ["60s request 1: failed: timedOut", "60s user: failure timedOut"]
    ),
    // The chunks of a body are joined.
    (
      .chunked(
        chunks: [
          .init("The ", after: .milliseconds(10)), .init("rose ", after: .milliseconds(20)),
          .init("is red", after: .milliseconds(30)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(1))),
      [
        "100ms request 1: 200 OK", "110ms request 1: 4 bytes", "130ms request 1: 5 bytes",
        "160ms request 1: 6 bytes", "161ms request 1: finished",
        "161ms user: value 200 The rose is red", "161ms user: finished",
      ]
    ),
    // Those of a broken body are dropped.
    (
      .chunked(
        chunks: [.init("The ")], latency: .milliseconds(5),
        end: .fail(.networkConnectionLost, after: .milliseconds(5))),
      [
        "5ms request 1: 200 OK", "5ms request 1: 4 bytes",
        "10ms request 1: failed: networkConnectionLost", "10ms user: failure networkConnectionLost",
      ]
    ),
  ]

  @Test(arguments: responses)
  func deliversTheEndOfTheResponse(response: StubResponse, history: [String]) throws {
    run.stub(response, response)
    run.subscribe()
    #expect(run.finish() == ["0 request 1: GET /user"] + history)
    // In a session with a data delegate too, which isn't told.
    run.subscribe(on: run.session(delegate: run.delegate("delegate")))
    #expect(run.finish().count == 1 + history.count)
    try run.network.verify()
  }

  // MARK: Demand

  private func recorder(demand: Subscribers.Demand) -> Recorder {
    let recorder = Recorder(run.clock, demand: demand)
    run.session().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    return recorder
  }

  @Test func makesNoRequestBeforeTheFirstDemand() throws {
    run.stub(.status(204))
    let recorder = recorder(demand: .none)
    #expect(run.finish() == [])
    run.at(3_000) { recorder.request(.max(1)) }
    run.clock.run()
    #expect(
      recorder.lines == ["0 subscription DataTaskPublisher", "3s value 204 ", "3s finished"])
    try run.network.verify()
  }

  @Test func makesOneRequestHoweverOftenDemandComes() throws {
    run.stub(.status(204, after: .seconds(1)))
    let recorder = recorder(demand: .max(1))
    recorder.request(.max(2))
    run.clock.settle()
    recorder.request(.unlimited)
    run.clock.run()
    recorder.request(.max(1))
    run.clock.run()
    #expect(recorder.lines.dropFirst() == ["1s value 204 ", "1s finished"])
    try run.network.verify()
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
    let recorder = recorder(demand: .none)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(run.finish() == [])
    #expect(recorder.lines == ["0 subscription DataTaskPublisher"])
  }

  @Test(arguments: [(0, "0"), (2_000, "2s")])
  func cancelEndsTheTaskAndDeliversNothing(time: Int, shown: String) throws {
    run.stub(.json("{}", after: .seconds(9)))
    let recorder = run.subscribe()
    if time == 0 { recorder.cancel() }
    run.at(time) {
      recorder.cancel()
      recorder.cancel()
    }
    #expect(
      run.finish() == ["0 request 1: GET /user", "\(shown) request 1: cancelled after 0 bytes"])
    #expect("\(run.clock.now)" == shown, "the clock doesn't run on to the response")
  }

  @Test func cancelAfterTheCompletionDoesNothing() {
    run.stub(.json("{}"))
    let recorder = run.subscribe()
    #expect(run.finish().last == "0 user: finished")
    recorder.cancel()
    #expect(run.finish() == [])
  }

  @Test func cancelWhileTheValueIsDeliveredSuppressesTheCompletion() {
    run.stub(.json("{}"))
    let recorder = Recorder(run.clock) { recorder, line in
      if line.contains("value") { recorder.cancel() }
    }
    run.session().dataTaskPublisher(for: .example("user")).subscribe(recorder)
    run.clock.run()
    #expect(recorder.lines.dropFirst() == ["0 value 200 {}"])
  }

  // MARK: Lifetime

  @Test(arguments: [false, true])
  func releasesTheSubscriberAtTheCompletionOrCancellation(byCancelling: Bool) {
    run.stub(.json("{}", after: .seconds(1)))
    weak var released: Recorder?
    do {
      let recorder = recorder(demand: .unlimited)
      released = recorder
      run.clock.settle()
      if byCancelling { recorder.cancel() }
      recorder.releaseSubscription()
    }
    #expect((released == nil) == byCancelling)
    run.clock.run()
    #expect(released == nil)
  }

  // MARK: Subscribers

  @Test func eachSubscriberMakesItsOwnRequest() throws {
    run.stub(.text("1", after: .milliseconds(20)), .text("2", after: .milliseconds(10)))
    let publisher = run.session().dataTaskPublisher(for: .example("user"))
    let recorders = [Recorder(run.clock), Recorder(run.clock)]
    for recorder in recorders { publisher.subscribe(recorder) }
    run.clock.run()
    #expect(recorders[0].lines.dropFirst() == ["20ms value 200 1", "20ms finished"])
    #expect(recorders[1].lines.dropFirst() == ["10ms value 200 2", "10ms finished"])
    try run.network.verify()
  }

  @Test func resubscribingAfterAFailureMakesANewRequest() throws {
    run.stub(
      .failure(.networkConnectionLost, after: .milliseconds(30)),
      .failure(.timedOut, after: .milliseconds(30)), .json("{}", after: .milliseconds(30)))
    let recorder = Recorder(run.clock)
    run.session().dataTaskPublisher(for: .example("user")).retry(2).subscribe(recorder)
    #expect(
      run.finish() == [
        "0 request 1: GET /user", "30ms request 1: failed: networkConnectionLost",
        "30ms request 2: GET /user", "60ms request 2: failed: timedOut",
        "60ms request 3: GET /user", "90ms request 3: 200 OK", "90ms request 3: 2 bytes",
        "90ms request 3: finished",
      ])
    #expect(recorder.lines.dropFirst() == ["90ms value 200 {}", "90ms finished"])
    try run.network.verify()
  }
}
