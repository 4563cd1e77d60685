import StreamsFoundation
import StubNetwork
import Testing
import VirtualTime

@Suite struct DelegateStreamingTests {
  private let run = NetworkRun()

  init() {
    run.stub(
      .chunked(
        chunks: [
          .init("The ", after: .milliseconds(10)), .init("rose ", after: .milliseconds(20)),
          .init("is red", after: .milliseconds(30)),
        ],
        latency: .milliseconds(100), end: .finish(after: .milliseconds(5))))
  }

  private let beginning = [
    "0 request 1: GET /user", "100ms request 1: 200 OK", "100ms user: response 200",
    "110ms request 1: 4 bytes", "110ms user: data The ",
  ]

  /// A second `resume()` changes nothing.
  @Test(arguments: [false, true])
  func eachChunkArrivesAtItsOwnTime(resumesAgain: Bool) throws {
    let task = run.load()
    if resumesAgain {
      task.resume()
      run.at(120) { task.resume() }
    }
    #expect(
      run.finish() == beginning + [
        "130ms request 1: 5 bytes", "130ms user: data rose ", "160ms request 1: 6 bytes",
        "160ms user: data is red", "165ms request 1: finished", "165ms user: end",
      ])
    try run.network.verify()
  }

  @Test func aCancellationReportsTheBytesSoFar() throws {
    let task = run.load()
    run.at(140) { task.cancel() }
    #expect(
      run.finish() == beginning + [
        "130ms request 1: 5 bytes", "130ms user: data rose ",
        "140ms request 1: cancelled after 9 bytes", "140ms user: error cancelled",
      ])
    try run.network.verify()
  }

  @Test func cancellingDuringADeliveryEndsTheTask() {
    let delegate = StreamingDelegate(run.clock, onData: { $0.cancel() })
    run.session(delegate: delegate).dataTask(with: .example("user")).resume()
    #expect(run.finish().last == "110ms request 1: cancelled after 4 bytes")
    #expect(delegate.lines == ["100ms response 200", "110ms data The ", "110ms error cancelled"])
  }

  @Test func cancellingAtTheInstantOfAResponsePreventsItsDelivery() {
    let task = run.session(delegate: run.delegate("user")).dataTask(with: .example("user"))
    run.at(100) { task.cancel() }
    task.resume()
    #expect(
      run.finish() == [
        "0 request 1: GET /user", "100ms request 1: cancelled after 0 bytes",
        "100ms user: error cancelled",
      ])
  }

  @Test func cancellingInAnObserverPreventsTheDelivery() {
    let task = run.session(delegate: run.delegate("user")).dataTask(with: .example("user"))
    run.network.onEvent { event in
      if case .chunk = event.kind { task.cancel() }
    }
    task.resume()
    #expect(
      run.finish() == Array(beginning.dropLast()) + [
        "110ms request 1: cancelled after 4 bytes", "110ms user: error cancelled",
      ])
  }

  @Test func aBodyMayBreak() {
    run.network.stub(
      .get, .example("song"),
      responses: .chunked(
        chunks: [.init("la"), .init("la")], end: .fail(.networkConnectionLost, after: .seconds(1))))
    run.load("song")
    #expect(
      run.finish() == [
        "0 request 1: GET /song", "0 request 1: 200 OK", "0 song: response 200",
        "0 request 1: 2 bytes", "0 song: data la", "0 request 1: 2 bytes", "0 song: data la",
        "1s request 1: failed: networkConnectionLost", "1s song: error networkConnectionLost",
      ])
  }

  @Test func aResumedTaskWaitsForTheRestOfItsDelay() throws {
    let task = run.load()
    run.at(125) { task.suspend() }
    run.at(1_000) { task.resume() }
    #expect(
      run.finish() == beginning + [
        "1005ms request 1: 5 bytes", "1005ms user: data rose ", "1035ms request 1: 6 bytes",
        "1035ms user: data is red", "1040ms request 1: finished", "1040ms user: end",
      ])
    try run.network.verify()
  }
}
