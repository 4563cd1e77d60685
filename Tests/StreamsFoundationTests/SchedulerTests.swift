import StreamsFoundation
import TestSupport
import Testing

@Suite struct DispatchQueueSchedulerTests {
  typealias Time = DispatchQueue.SchedulerTimeType

  @Test func spansAreMadeFromTheUsualUnits() {
    let spans: [Time.Stride] = [
      1, 0.5, .seconds(2), .seconds(0.25), .milliseconds(3), .microseconds(4), .nanoseconds(5),
    ]
    #expect(
      spans.map(\.magnitude)
        == [1_000_000_000, 500_000_000, 2_000_000_000, 250_000_000, 3_000_000, 4_000, 5])
    #expect(Time.Stride(exactly: 2) == .seconds(2))
    #expect(Time.Stride(exactly: UInt64.max) == nil)
    #expect(Time.Stride(exactly: Int.max) == nil)
    #expect(Time.Stride.seconds(.max).magnitude == .max)
    #expect(Time.Stride.seconds(.min).magnitude == .min)
    #expect(Time.Stride.seconds(.infinity).magnitude == .max)
    #expect(Time.Stride.seconds(-1e300).magnitude == .min)
  }

  @Test func spansAreMadeFromDispatchIntervals() {
    let intervals: [DispatchTimeInterval] = [
      .seconds(1), .milliseconds(2), .microseconds(3), .nanoseconds(4), .never,
    ]
    #expect(
      intervals.map { Time.Stride($0).magnitude } == [1_000_000_000, 2_000_000, 3_000, 4, .max])
    #expect(Time.Stride.milliseconds(2).timeInterval == .nanoseconds(2_000_000))
  }

  @Test func spansCalculateInSeconds() {
    var span: Time.Stride = .milliseconds(5)
    #expect(2 * span == .milliseconds(10))
    #expect(span + .milliseconds(1) - .milliseconds(2) == .milliseconds(4))
    #expect(.milliseconds(4) < span)
    span += 1
    span -= .milliseconds(5)
    span *= 3
    #expect(span == .seconds(3))
  }

  @Test func spansSaturateAtTheLongest() {
    let longest = Time.Stride(.never)
    #expect(longest + 1 == longest)
    #expect(longest * 2 == longest)
    #expect(-1 - longest - longest == .nanoseconds(.min))
    #expect(longest - longest == 0)
  }

  @Test func momentsAreASpanApart() {
    let start = Time(DispatchTime(uptimeNanoseconds: 5_000_000_000))
    let end = start.advanced(by: .milliseconds(7))
    #expect(end.dispatchTime.uptimeNanoseconds == 5_007_000_000)
    #expect(start.distance(to: end) == .milliseconds(7))
    #expect(end.distance(to: start) == .milliseconds(-7))
    #expect(start < end)
    #expect(Set([start, end, start]).count == 2)
  }

  @Test func theDistantFutureIsTheLongestSpanAway() {
    let now = Time(DispatchTime(uptimeNanoseconds: 5_000_000_000))
    let future = Time(.distantFuture)
    #expect(now.distance(to: future) == .nanoseconds(.max))
    #expect(future.distance(to: now) == .nanoseconds(.min))
    #expect(future.distance(to: future) == 0)
    #expect(future.advanced(by: -1) == future)
    #expect(future.advanced(by: .nanoseconds(.min)) == future)
    #expect(now.advanced(by: .nanoseconds(.max)) == future)
    #expect(now.advanced(by: .nanoseconds(.min)) < now)
    #expect(now < future)
    #expect(!(future < now))
  }

  @Test func aCancelledRepeatReleasesItsActionAtOnce() {
    let queue = DispatchQueue(label: "test")
    // A suspended queue doesn't run the timer.
    queue.suspend()
    expectRelease { queue.schedule(after: queue.now, interval: .seconds(3600), $0) }
    queue.resume()
  }

  @Test func momentsAndSpansAreCodable() throws {
    let start = Time(DispatchTime(uptimeNanoseconds: 5_000_000_000))
    let kept = try JSONEncoder().encode([start])
    #expect(String(decoding: kept, as: UTF8.self) == "[5000000000]")
    #expect(try JSONDecoder().decode([Time].self, from: kept) == [start])
    let span = try JSONEncoder().encode([Time.Stride.milliseconds(1)])
    #expect(String(decoding: span, as: UTF8.self) == #"[{"_nanoseconds":1000000}]"#)
    #expect(try JSONDecoder().decode([Time.Stride].self, from: span) == [.milliseconds(1)])
  }

  @Test func runsActionsOnTheQueueInOrder() {
    let queue = DispatchQueue(label: "test")
    let log = CallLog()
    let done = DispatchSemaphore(value: 0)
    for number in 1...3 {
      queue.schedule {
        dispatchPrecondition(condition: .onQueue(queue))
        log.append("\(number)")
      }
    }
    queue.schedule(options: .init(qos: .userInitiated, flags: .barrier)) { done.signal() }
    #expect(done.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["1", "2", "3"])
  }

  @Test func leavesItsGroup() {
    let group = DispatchGroup()
    let log = CallLog()
    DispatchQueue(label: "test").schedule(options: .init(group: group)) { log.append("ran") }
    #expect(group.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["ran"])
  }

  @Test func runsADelayedAction() {
    let queue = DispatchQueue(label: "test")
    let done = DispatchSemaphore(value: 0)
    let start = queue.now
    queue.schedule(after: start.advanced(by: .milliseconds(1))) {
      #expect(queue.now >= start.advanced(by: .milliseconds(1)))
      done.signal()
    }
    #expect(done.wait(timeout: .now() + .hangLimit) == .success)
  }

  @Test(arguments: ["cancelled", "released"]) func repeatsUntil(end: String) {
    let queue = DispatchQueue(label: "test")
    let log = CallLog()
    let thrice = DispatchSemaphore(value: 0)
    var token: (any Cancellable)? = queue.schedule(after: queue.now, interval: .microseconds(100)) {
      log.append("tick")
      if log.lines.count == 3 { thrice.signal() }
    }
    #expect(thrice.wait(timeout: .now() + .hangLimit) == .success)
    if end == "cancelled" { token?.cancel() }
    token = nil
    // After this, no handler of the timer is running, and none starts.
    queue.sync {}
    let count = log.lines.count
    queue.sync {}
    #expect(log.lines.count == count)
  }

  @Test func keepsTheOrderOfManyValues() {
    let queue = DispatchQueue(label: "test")
    let done = DispatchSemaphore(value: 0)
    let history = History<Int, Never>()
    history.onCompletion = { _ in done.signal() }
    (0..<1000).publisher.receive(on: queue).subscribe(history)
    #expect(done.wait(timeout: .now() + .hangLimit) == .success)
    #expect(history.values == Array(0..<1000))
  }
}

@Suite struct RunLoopSchedulerTests {
  @Test func runsActionsOnTheThreadOfTheLoop() {
    let log = CallLog()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let loop = RunLoop.current
      loop.schedule { log.append("first, \(RunLoop.current === loop)") }
      loop.schedule { log.append("second") }
      loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) {
        log.append("later")
        done.signal()
      }
      while done.wait(timeout: .now()) == .timedOut {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      done.signal()
    }
    thread.start()
    #expect(done.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines == ["first, true", "second", "later"])
  }

  /// On Linux, `perform` alone doesn't wake a loop.
  @Test func wakesASleepingLoop() throws {
    let loops = Locked<RunLoop?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let isDone = DispatchSemaphore(value: 0)
    let isStopped = Locked(false)
    Thread {
      // A loop sleeps only if it has a timer.
      let day = Timer(timeInterval: 86_400, repeats: false) { _ in }
      RunLoop.current.add(day, forMode: .default)
      loops.withLock { $0 = RunLoop.current }
      isReady.signal()
      while !isStopped.withLock({ $0 }) {
        _ = RunLoop.current.run(mode: .default, before: .distantFuture)
      }
    }.start()
    #expect(isReady.wait(timeout: .now() + .hangLimit) == .success)
    let loop = try #require(loops.withLock { $0 })
    for _ in 0..<1000 {
      loop.schedule { isDone.signal() }
      try #require(isDone.wait(timeout: .now() + .hangLimit) == .success)
    }
    loop.schedule { isStopped.withLock { $0 = true } }
  }

  @Test func repeatsUntilCancelled() {
    let log = CallLog()
    let done = DispatchSemaphore(value: 0)
    Thread {
      let loop = RunLoop.current
      let token = loop.schedule(after: loop.now, interval: .milliseconds(1)) { log.append("tick") }
      while log.lines.count < 3 {
        _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      }
      token.cancel()
      let count = log.lines.count
      _ = loop.run(mode: .default, before: Date(timeIntervalSinceNow: 0.005))
      log.append("\(log.lines.count - count) more")
      done.signal()
    }.start()
    #expect(done.wait(timeout: .now() + .hangLimit) == .success)
    #expect(log.lines.last == "0 more")
  }

  @Test func aCancelledRepeatReleasesItsActionAtOnce() {
    let loop = RunLoop.current
    expectRelease { loop.schedule(after: loop.now, interval: .seconds(3600), $0) }
  }

  @Test func bothTimeTypesCanConformToOneProtocol() {
    let names = [
      RunLoop.main.now.nameOfTime, OperationQueue.main.now.nameOfTime,
      RunLoop.SchedulerTimeType.Stride(1).nameOfTime,
      OperationQueue.SchedulerTimeType.Stride(1).nameOfTime,
    ]
    #expect(names == ["run loop", "operations", "span of a run loop", "span of operations"])
  }
}

private protocol NamedTime { var nameOfTime: String { get } }
extension RunLoop.SchedulerTimeType: NamedTime { var nameOfTime: String { "run loop" } }
extension OperationQueue.SchedulerTimeType: NamedTime { var nameOfTime: String { "operations" } }
extension RunLoop.SchedulerTimeType.Stride: NamedTime {
  var nameOfTime: String { "span of a run loop" }
}
extension OperationQueue.SchedulerTimeType.Stride: NamedTime {
  var nameOfTime: String { "span of operations" }
}

/// Expects that cancelling a token releases its action at once, while the token still exists.
func expectRelease(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ schedule: (@escaping () -> Void) -> any Cancellable
) {
  weak var captured: CallLog?
  let token: any Cancellable
  do {
    let capture = CallLog()
    captured = capture
    token = schedule { capture.append("ran") }
  }
  #expect(captured != nil, sourceLocation: sourceLocation)
  token.cancel()
  #expect(captured == nil, sourceLocation: sourceLocation)
}
