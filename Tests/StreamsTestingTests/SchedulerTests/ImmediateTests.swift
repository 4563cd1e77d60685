import Streams
import StreamsExtras
import StreamsTesting
import TestSupport
import Testing

struct ImmediateTests {
  private let log = CallLog()

  @Test func runsEachActionOnceInTheCallThatSchedulesIt() {
    let scheduler = AnySchedulerOf<DispatchQueue>.immediate
    let start = scheduler.now
    scheduler.schedule { [log] in log.append("now") }
    log.append("scheduled")
    scheduler.schedule(after: start.advanced(by: 5)) { [log] in log.append("later") }
    log.append("scheduled")
    let token = scheduler.schedule(after: start, interval: 1) { [log] in log.append("repeat") }
    log.append("scheduled")
    token.cancel()
    #expect(log.lines == ["now", "scheduled", "later", "scheduled", "repeat", "scheduled"])
    #expect(scheduler.now == start)
    #expect(scheduler.minimumTolerance == 0)
  }

  @Test func operatorsDeliverWithoutADelay() {
    expectHistory(on: AnySchedulerOf<DispatchQueue>.immediate)
    expectHistory(on: AnySchedulerOf<RunLoop>.immediate)
    expectHistory(on: AnySchedulerOf<OperationQueue>.immediate)
  }

  @Test func showsTheGivenMoment() {
    let moment = RunLoop.SchedulerTimeType(.distantPast)
    #expect(AnySchedulerOf<RunLoop>.immediate(now: moment).now == moment)
    #expect(AnySchedulerOf<RunLoop>.immediate.now.virtualTime == .zero)
  }

  @Test func timeoutRefusesIt() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Just(1).timeout(1, scheduler: AnySchedulerOf<DispatchQueue>.immediate).history()
    }
    let output = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("timeout: this scheduler doesn't wait: use one that does"))
  }

  private func expectHistory<Time, Options>(
    on scheduler: AnyScheduler<Time, Options>, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let source = PassthroughSubject<Int, Never>()
    let histories = [
      source.receive(on: scheduler).history(), source.delay(for: 1, scheduler: scheduler).history(),
      source.debounce(for: 1, scheduler: scheduler).history(),
    ]
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    let all = ["value 1", "value 2", "finished"]
    #expect(
      histories.map(\.lines) == [
        ["subscription ReceiveOn"] + all, ["subscription Delay"] + all,
        ["subscription Debounce"] + all,
      ], sourceLocation: sourceLocation)
  }
}
