import Streams
import StreamsTesting
import TestSupport
import Testing

/// Code that takes a scheduler, driven by a virtual clock with each kind of time.
struct ClockSchedulerTests {
  private let clock = VirtualTimeScheduler()
  private let log = CallLog()

  /// Each operator that uses time, with the time and the value of each event.
  private func expectHistory<S>(
    with type: S.Type, sourceLocation: SourceLocation = #_sourceLocation
  ) where S: Scheduler, S.SchedulerTimeType: VirtualTimeConvertible {
    let scheduler = clock.scheduler(as: type)
    let text = PassthroughSubject<String, Never>()
    func record(_ name: String, _ publisher: some Publisher<String, Never>) -> AnyCancellable {
      publisher.sink { [log, clock] _ in
        log.append("\(clock.now) \(name) ends")
      } receiveValue: { [log, clock] in
        log.append("\(clock.now) \(name) \($0)")
      }
    }
    let cancellables = [
      record("received", text.receive(on: scheduler)),
      record("delayed", text.delay(for: .seconds(1), scheduler: scheduler)),
      record("debounced", text.debounce(for: .milliseconds(300), scheduler: scheduler)),
      record("in time", text.timeout(.milliseconds(1_500), scheduler: scheduler)),
    ]
    text.send("a")
    clock.advance(by: .milliseconds(200))
    text.send("b")
    clock.advance(by: .milliseconds(1_499))
    #expect(
      log.lines == [
        "0 received a", "0 in time a", "200ms received b", "200ms in time b", "500ms debounced b",
        "1s delayed a", "1200ms delayed b",
      ], sourceLocation: sourceLocation)
    clock.run()
    #expect(log.lines.dropFirst(7) == ["1700ms in time ends"], sourceLocation: sourceLocation)
    cancellables.forEach { $0.cancel() }
  }

  @Test func drivesCodeThatTakesAQueue() { expectHistory(with: DispatchQueue.self) }

  @Test func drivesCodeThatTakesARunLoop() { expectHistory(with: RunLoop.self) }

  @Test func drivesCodeThatTakesAnOperationQueue() { expectHistory(with: OperationQueue.self) }

  @Test func repeatsAtExactTimes() {
    logRepeats(of: DispatchQueue.self)
    logRepeats(of: RunLoop.self)
    logRepeats(of: OperationQueue.self)
    #expect(
      log.lines
        == [0, 1_000, 2_000].flatMap { start in
          (1...10).map { "\(VirtualTime.milliseconds(start * 1_000 + $0 * 100))" }
        })
  }

  /// Logs ten repeats after a tenth of a second each, which no `Double` is exactly.
  private func logRepeats<S>(of type: S.Type)
  where S: Scheduler, S.SchedulerTimeType: VirtualTimeConvertible {
    let scheduler = clock.scheduler(as: type)
    let start = scheduler.now.advanced(by: .seconds(0.1))
    let token = scheduler.schedule(after: start, interval: .seconds(0.1)) { [log, clock] in
      log.append("\(clock.now)")
    }
    clock.advance(by: .seconds(1))
    token.cancel()
    clock.advance(by: .seconds(999))
  }

  @Test func runsActionsOfAnInstantInTheOrderOfTheClock() {
    let queue = clock.scheduler(as: DispatchQueue.self)
    let loop = clock.scheduler(as: RunLoop.self)
    queue.schedule { [log] in log.append("1") }
    loop.schedule { [log] in log.append("2") }
    clock.schedule { [log] in log.append("3") }
    queue.schedule(after: queue.now, tolerance: 0, options: .init(qos: .userInitiated)) { [log] in
      log.append("4")
    }
    #expect(log.lines == [])
    clock.run()
    #expect(log.lines == ["1", "2", "3", "4"])
  }

  @Test func theDistantFutureIsNever() {
    let queue = clock.scheduler(as: DispatchQueue.self)
    let loop = clock.scheduler(as: RunLoop.self)
    let operations = clock.scheduler(as: OperationQueue.self)
    queue.schedule(after: .init(.distantFuture)) {}
    queue.schedule(after: queue.now.advanced(by: .init(.never))) {}
    loop.schedule(after: .init(.distantFuture)) {}
    operations.schedule(after: .init(.distantFuture)) {}
    #expect(clock.pendingWork.map(\.due) == [.max, .max, .max, .max])
    clock.run()
    #expect(clock.now == .zero)
  }

  @Test func thePastIsNow() {
    let queue = clock.scheduler(as: DispatchQueue.self)
    clock.advance(by: .seconds(5))
    queue.schedule(after: queue.now.advanced(by: -60)) { [log] in log.append("ran") }
    clock.run()
    #expect(log.lines == ["ran"])
    #expect(clock.now == .seconds(5))
  }

  @Test(arguments: [
    VirtualTime.zero, .nanoseconds(1), .milliseconds(300), .seconds(86_400), .seconds(-0.5), .max,
  ])
  func timesOfSchedulersStandForMomentsOfTheClock(moment: VirtualTime) {
    #expect(DispatchQueue.SchedulerTimeType(virtualTime: moment).virtualTime == moment)
    #expect(RunLoop.SchedulerTimeType(virtualTime: moment).virtualTime == moment)
    #expect(OperationQueue.SchedulerTimeType(virtualTime: moment).virtualTime == moment)
  }
}
