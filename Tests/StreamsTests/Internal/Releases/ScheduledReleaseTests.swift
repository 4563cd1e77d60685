import Streams
import TestSupport
import Testing

/// Compares everything that operators on a scheduler release, although both of their ends are kept,
/// and the scheduler's actions too.
struct ScheduledReleaseTests {
  /// The scheduler behaves like a queue with several threads.
  @Test func aCompletionThatWaitsForAValueIsReleasedOnceItIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.receive(on: scheduler))
    source.send("1")
    source.fail("error")
    scheduler.runLast()
    #expect(scene.takeNotes() == ["released: a"])
    scheduler.runLast()
    #expect(scene.takeNotes() == ["value", "failure", "released: 1, downstream, error"])
  }

  @Test(arguments: [false, true])
  func aCancellationReleasesACompletionThatWaitsForAValue(isInADelivery: Bool) {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.timeout(.seconds(1), scheduler: scheduler))
    for value in ["1", "2"] { source.send(value) }
    source.fail("error")
    scheduler.runLast()
    #expect(scene.takeNotes() == ["released: a"])
    if isInADelivery {
      scene.onValue = { [unowned scene] in scene.subscription?.cancel() }
      scheduler.runLast()
      #expect(scene.takeNotes() == ["value", "released: 2, downstream, error"])
    } else {
      scene.subscription?.cancel()
      #expect(scene.takeNotes() == ["released: downstream, error"])
    }
    // The scheduler kept the others.
    scheduler.run()
    #expect(scene.takeNotes() == ["released: 1" + (isInADelivery ? "" : ", 2")])
  }

  @Test func aThrottledCompletionIsReleasedOnceItIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true))
    source.send("1")
    source.fail("error")
    #expect(scene.takeNotes() == ["released: a"])
    scheduler.run()
    #expect(scene.takeNotes() == ["value", "failure", "released: 1, downstream, error"])
  }

  // MARK: Timers

  enum Operator: CaseIterable { case collect, debounce, timeout }
  enum Ending: CaseIterable { case finish, failure, cancellation, cancellationInside, release }

  /// The timers do nothing when they're released.
  @Test(arguments: Operator.allCases, Ending.allCases)
  func theLastTimerIsCancelledAndReleased(_ name: Operator, _ ending: Ending) {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    switch name {
    case .collect: scene.subscribe(source.collect(.byTime(scheduler, .nanoseconds(13))))
    case .debounce: scene.subscribe(source.debounce(for: .nanoseconds(13), scheduler: scheduler))
    case .timeout: scene.subscribe(source.timeout(.nanoseconds(13), scheduler: scheduler))
    }
    source.send("1")
    // A timeout's countdown also starts again at the first request and after each value.
    let timer = name == .timeout ? "timer 3" : "timer 1"
    #expect(
      scene.takeNotes()
        == (name == .timeout
          ? ["timer 1: cancel", "timer 2: cancel", "released: timer 1, timer 2"] : []))
    switch ending {
    case .finish: source.finish()
    case .failure: source.fail("error")
    case .cancellation: scene.subscription?.cancel()
    case .cancellationInside:
      scene.onValue = { [unowned scene] in scene.subscription?.cancel() }
    case .release:
      scene.releaseSubscription()
      source.releaseSubscriber()
    }
    scheduler.base.run()
    let calls: [String] =
      switch (name, ending) {
      case (.collect, .finish): ["\(timer): cancel", "value", "finished"]
      case (.collect, .failure): ["\(timer): cancel", "failure"]
      // The timer doesn't keep the stream.
      case (.collect, .release): ["\(timer): cancel"]
      case (.collect, .cancellationInside): ["value", "a: cancel", "\(timer): cancel"]
      case (.debounce, .finish): ["\(timer): cancel", "finished"]
      case (.debounce, .failure): ["\(timer): cancel", "failure"]
      case (.debounce, .cancellationInside): ["\(timer): cancel", "value", "a: cancel"]
      case (.debounce, .release): ["\(timer): cancel", "value"]
      case (.timeout, .finish): ["\(timer): cancel", "value", "finished"]
      case (.timeout, .failure): ["\(timer): cancel", "value", "failure"]
      case (.timeout, .cancellationInside): ["value", "a: cancel", "\(timer): cancel"]
      case (.timeout, .release): ["value", "\(timer): cancel", "a: cancel", "finished"]
      case (_, .cancellation): ["a: cancel", "\(timer): cancel"]
      }
    let error = ending == .failure ? ", error" : ""
    #expect(scene.takeNotes() == calls + ["released: 1, a, downstream\(error), \(timer)"])
  }

  @Test func aTimerIsReleasedOnceItsValueIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.debounce(for: .nanoseconds(13), scheduler: scheduler))
    source.send("1")
    scheduler.base.run()
    #expect(scene.takeNotes() == ["timer 1: cancel", "value", "released: 1, timer 1"])
  }

  @Test func theFinishReleasesTheTimerOfCollectAtOnce() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.collect(.byTime(scheduler, .nanoseconds(13))))
    source.finish()
    #expect(scene.takeNotes() == ["timer 1: cancel", "released: a, timer 1"])
    scheduler.base.run()
    #expect(scene.takeNotes() == ["finished", "released: downstream"])
  }

  @Test func aTimerThatCollectMakesWhileUpstreamFinishesIsCancelled() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scheduler.onTimer = { [unowned source] in source.finish() }
    scene.subscribe(source.collect(.byTime(scheduler, .nanoseconds(13))))
    #expect(scene.takeNotes() == ["timer 1: cancel", "released: a, timer 1"])
    scheduler.base.run()
    #expect(scene.takeNotes() == ["finished", "released: downstream"])
  }

  /// The value comes after the time is up, and before the stream has ended.
  @Test func aTimerForAValueAtTheTimeoutIsCancelled() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.timeout(.nanoseconds(13), scheduler: scheduler))
    #expect(scene.takeNotes() == ["timer 1: cancel", "released: timer 1"])
    scheduler.onCancel = { [unowned source] in source.send("1") }
    scheduler.base.runNext()
    #expect(
      scene.takeNotes() == [
        "timer 2: cancel", "timer 3: cancel", "a: cancel", "finished",
        "released: a, downstream, timer 2, timer 3",
      ])
    scheduler.base.run()
    #expect(scene.takeNotes() == ["released: 1"])
  }
}

/// A scheduler whose timers have to be cancelled: their release does nothing.
private final class PlainTimerScheduler: Scheduler {
  typealias SchedulerTimeType = ManualScheduler.SchedulerTimeType

  let base = ManualScheduler()
  private let log: ReleaseLog
  private var count = 0

  /// Runs within the call that makes a timer.
  var onTimer: (() -> Void)?

  /// Runs within the next call that cancels a timer.
  var onCancel: (() -> Void)?

  init(_ log: ReleaseLog) { self.log = log }

  var now: SchedulerTimeType { base.now }

  var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  func schedule(options: String?, _ action: @escaping () -> Void) {
    base.schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: String?,
    _ action: @escaping () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: String?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    count += 1
    onTimer?()
    let timer = base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
    return Timer(name: "timer \(count)", log: log) { [self] in
      timer.cancel()
      let hook = onCancel
      onCancel = nil
      hook?()
    }
  }

  private final class Timer: Cancellable {
    private let name: String
    private let log: ReleaseLog
    private let onCancel: () -> Void

    init(name: String, log: ReleaseLog, onCancel: @escaping () -> Void) {
      self.name = name
      self.log = log
      self.onCancel = onCancel
    }

    func cancel() {
      log.note("\(name): cancel")
      onCancel()
    }

    deinit { log.released(name) }
  }
}
