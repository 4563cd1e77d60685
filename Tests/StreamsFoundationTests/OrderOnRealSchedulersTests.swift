import StreamsFoundation
import TestSupport
import Testing

/// A stream keeps the order of one thread's values on each scheduler, also with delays so short
/// that their dates have passed by the time they are scheduled.
@Suite struct OrderOnRealSchedulersTests {
  /// The delays of the tests, in microseconds.
  static let delays = [-1, 0, 0.2, 1, 20, 200]

  // MARK: delay

  @Test(arguments: delays) func delayKeepsTheOrderOnASerialQueue(delay: Double) {
    let queue = DispatchQueue(label: "serial")
    expectSameOrder { $0.delay(for: .seconds(delay / 1e6), scheduler: queue) }
  }

  @Test(arguments: delays) func delayKeepsTheOrderOnAConcurrentQueue(delay: Double) {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    expectSameOrder { $0.delay(for: .seconds(delay / 1e6), scheduler: queue) }
  }

  @Test(arguments: delays, [1, OperationQueue.defaultMaxConcurrentOperationCount])
  func delayKeepsTheOrderOnOperationQueues(delay: Double, width: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    expectSameOrder { $0.delay(for: .seconds(delay / 1e6), scheduler: queue) }
  }

  @Test(arguments: delays) func delayKeepsTheOrderOnARunLoop(delay: Double) throws {
    let loop = try RunningLoop()
    expectSameOrder { $0.delay(for: .seconds(delay / 1e6), scheduler: loop.loop) }
    loop.stop()
  }

  @Test(arguments: delays) func delayKeepsTheOrderOfNestedDelays(delay: Double) {
    let queue = DispatchQueue(label: "serial")
    expectSameOrder {
      $0.delay(for: .seconds(delay / 1e6), scheduler: queue)
        .delay(for: .seconds(delay / 1e6), scheduler: queue)
        .receive(on: queue)
    }
  }

  // MARK: Operators that skip values or group them

  @Test(arguments: delays) func operatorsThatSkipValuesKeepTheOrder(delay: Double) {
    let queue = DispatchQueue(label: "serial")
    let span = DispatchQueue.SchedulerTimeType.Stride.seconds(delay / 1e6)
    expectRising { $0.debounce(for: span, scheduler: queue) }
    expectRising { $0.throttle(for: span, scheduler: queue, latest: true) }
    expectRising { $0.throttle(for: span, scheduler: queue, latest: false) }
    expectRising(isWhole: true) { $0.timeout(.seconds(3600), scheduler: queue) }
  }

  @Test(arguments: delays) func operatorsThatSkipValuesKeepTheOrderOnOperationQueues(
    delay: Double
  ) {
    let queue = OperationQueue()
    let span = OperationQueue.SchedulerTimeType.Stride.seconds(delay / 1e6)
    expectRising { $0.debounce(for: span, scheduler: queue) }
    expectRising { $0.throttle(for: span, scheduler: queue, latest: true) }
    expectRising { $0.throttle(for: span, scheduler: queue, latest: false) }
  }

  @Test(arguments: [1.0, 20, 200]) func collectingByTimeKeepsTheOrder(delay: Double) {
    let queue = DispatchQueue(label: "serial")
    let span = DispatchQueue.SchedulerTimeType.Stride.seconds(delay / 1e6)
    expectRising(isWhole: true) { $0.collect(.byTime(queue, span)).flatMap(\.publisher) }
    expectRising(isWhole: true) { $0.collect(.byTimeOrCount(queue, span, 7)).flatMap(\.publisher) }
  }
}

/// Sends numbers on this thread, in bursts of ten, and waits for the completion.
private func history<P: Publisher<Int, Never>>(
  of operation: (PassthroughSubject<Int, Never>) -> P
) -> History<Int, Never> {
  let subject = PassthroughSubject<Int, Never>()
  let done = DispatchSemaphore(value: 0)
  let history = History<Int, Never>()
  history.onCompletion = { _ in done.signal() }
  operation(subject).subscribe(history)
  for number in 0..<sentCount {
    subject.send(number)
    // Lets the scheduler's thread begin, so that it runs some work while more is scheduled.
    if number % 10 == 9 { sched_yield() }
  }
  subject.send(completion: .finished)
  #expect(done.wait(timeout: .now() + .hangLimit) == .success)
  return history
}

private let sentCount = 2000

private func expectSameOrder<P: Publisher<Int, Never>>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: (PassthroughSubject<Int, Never>) -> P
) {
  let history = history(of: operation)
  #expect(history.values == Array(0..<sentCount), sourceLocation: sourceLocation)
  #expect(history.events.last == .finished, sourceLocation: sourceLocation)
}

/// - Parameter isWhole: Whether each value has to arrive. A busy machine may send all of them
///   before the end of the first interval.
private func expectRising<P: Publisher<Int, Never>>(
  isWhole: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: (PassthroughSubject<Int, Never>) -> P
) {
  let history = history(of: operation)
  if isWhole { #expect(history.values.count == sentCount, sourceLocation: sourceLocation) }
  #expect(history.values == Set(history.values).sorted(), sourceLocation: sourceLocation)
  #expect(history.events.last == .finished, sourceLocation: sourceLocation)
}

/// A run loop on a thread of its own.
private final class RunningLoop: Sendable {
  nonisolated(unsafe) let loop: RunLoop
  private let isStopped = Locked(false)

  init() throws {
    let loops = Locked<RunLoop?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let isStopped = isStopped
    Thread.detachNewThread {
      // A loop sleeps only if it has a timer.
      RunLoop.current.add(Timer(timeInterval: 86_400, repeats: false) { _ in }, forMode: .default)
      loops.withLock { $0 = RunLoop.current }
      isReady.signal()
      while !isStopped.withLock({ $0 }) {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
    }
    #expect(isReady.wait(timeout: .now() + .hangLimit) == .success)
    loop = try #require(loops.withLock { $0 })
  }

  func stop() {
    isStopped.withLock { $0 = true }
    loop.schedule {}
  }
}
