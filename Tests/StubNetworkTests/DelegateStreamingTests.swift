import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DelegateStreamingTests {
  private let clock = VirtualTimeScheduler()
  private let network: StubNetwork

  init() {
    network = StubNetwork(clock: clock)
    network.stub(
      .get, "https://example.com/poem",
      responses: .chunked(
        chunks: [
          .init("The ", after: .milliseconds(10)), .init("rose ", after: .milliseconds(20)),
          .init("is red", after: .milliseconds(30)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(5))))
  }

  @Test func eachChunkArrivesAtItsOwnTime() throws {
    let delegate = StreamingDelegate(clock)
    network.makeSession(delegate: delegate).dataTask(with: .example("poem")).resume()
    clock.run()
    #expect(
      delegate.lines == [
        "100ms response 200", "110ms data The ", "130ms data rose ", "160ms data is red",
        "165ms end",
      ])
    try network.verify()
  }

  @Test func aCancellationReportsTheBytesSoFar() throws {
    let delegate = StreamingDelegate(clock)
    let task = network.makeSession(delegate: delegate).dataTask(with: .example("poem"))
    task.resume()
    clock.schedule(after: .milliseconds(140)) { task.cancel() }
    clock.run()
    #expect(
      delegate.lines == [
        "100ms response 200", "110ms data The ", "130ms data rose ", "140ms error cancelled",
      ])
    #expect(network.events.last?.description == "140ms request 1: cancelled after 9 bytes")
    try network.verify()
  }

  @Test func cancellingDuringADeliveryEndsTheTask() {
    let delegate = StreamingDelegate(clock) { $0.cancel() }
    network.makeSession(delegate: delegate).dataTask(with: .example("poem")).resume()
    clock.run()
    #expect(delegate.lines == ["100ms response 200", "110ms data The ", "110ms error cancelled"])
    #expect(network.events.last?.description == "110ms request 1: cancelled after 4 bytes")
  }

  @Test func cancellingAtTheInstantOfAResponsePreventsItsDelivery() {
    let delegate = StreamingDelegate(clock)
    let task = network.makeSession(delegate: delegate).dataTask(with: .example("poem"))
    clock.schedule(after: .milliseconds(100)) { task.cancel() }
    task.resume()
    clock.settle()
    clock.run()
    clock.settle()
    #expect(delegate.lines == ["100ms error cancelled"])
    #expect(network.events.last?.description == "100ms request 1: cancelled after 0 bytes")
  }

  @Test func cancellingInAnObserverPreventsTheDelivery() {
    let delegate = StreamingDelegate(clock)
    let task = network.makeSession(delegate: delegate).dataTask(with: .example("poem"))
    network.onEvent { event in
      if case .chunk = event.kind { task.cancel() }
    }
    task.resume()
    clock.run()
    #expect(delegate.lines == ["100ms response 200", "110ms error cancelled"])
  }

  @Test func aBodyMayBreak() {
    network.stub(
      .get, "https://example.com/song",
      responses: .chunked(
        chunks: [.init("la"), .init("la")], end: .fail(.networkConnectionLost, after: .seconds(1))))
    let delegate = StreamingDelegate(clock)
    network.makeSession(delegate: delegate).dataTask(with: .example("song")).resume()
    clock.run()
    #expect(
      delegate.lines == [
        "0 response 200", "0 data la", "0 data la", "1s error networkConnectionLost",
      ])
  }

  @Test func aResumedTaskWaitsForTheRestOfItsDelay() throws {
    let delegate = StreamingDelegate(clock)
    let task = network.makeSession(delegate: delegate).dataTask(with: .example("poem"))
    task.resume()
    clock.schedule(after: .milliseconds(125)) { task.suspend() }
    clock.schedule(after: .seconds(1)) { task.resume() }
    clock.run()
    #expect(
      delegate.lines == [
        "100ms response 200", "110ms data The ", "1005ms data rose ", "1035ms data is red",
        "1040ms end",
      ])
    #expect(network.events.count { if case .started = $0.kind { true } else { false } } == 1)
    try network.verify()
  }

  @Test func aSecondResumeChangesNothing() {
    let delegate = StreamingDelegate(clock)
    let task = network.makeSession(delegate: delegate).dataTask(with: .example("poem"))
    task.resume()
    task.resume()
    clock.schedule(after: .milliseconds(120)) { task.resume() }
    clock.run()
    #expect(delegate.lines.count == 5)
    #expect(delegate.lines.last == "165ms end")
  }
}
