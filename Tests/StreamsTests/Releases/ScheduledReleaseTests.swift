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
    expectEqual(scene.takeNotes(), ["released: a"])
    scheduler.runLast()
    expectEqual(scene.takeNotes(), ["value", "failure", "released: 1, downstream, error"])
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
    expectEqual(scene.takeNotes(), ["released: a"])
    if isInADelivery {
      scene.onValue = { [unowned scene] in scene.subscription?.cancel() }
      scheduler.runLast()
      expectEqual(scene.takeNotes(), ["value", "released: 2, downstream, error"])
    } else {
      scene.subscription?.cancel()
      expectEqual(scene.takeNotes(), ["released: downstream, error"])
    }
    // The scheduler kept the others.
    scheduler.run()
    expectEqual(scene.takeNotes(), ["released: 1" + (isInADelivery ? "" : ", 2")])
  }

  /// A thread that delivers would wait for the gate.
  @Test func downstreamIsReleasedOutsideTheGate() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.receive(on: scheduler))
    source.send("1")
    scene.onRelease = { onAnotherThread { scheduler.run() } }
    scene.subscription?.cancel()
    expectEqual(scene.takeNotes(), ["a: cancel", "released: 1, a, downstream"])
    scene.onRelease = nil
  }

  /// The scheduler runs the completion's action before the value's, after a cancellation.
  @Test func aCompletionThatComesAfterACancellationIsNotKept() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.timeout(.seconds(1), scheduler: scheduler))
    source.send("1")
    source.fail("error")
    scene.subscription?.cancel()
    expectEqual(scene.takeNotes(), ["released: a, downstream"])
    scheduler.runLast()
    expectEqual(scene.takeNotes(), ["released: error"])
    scheduler.run()
    expectEqual(scene.takeNotes(), ["released: 1"])
  }

  @Test func aThrottledCompletionIsReleasedOnceItIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    scene.subscribe(source.throttle(for: .nanoseconds(13), scheduler: scheduler, latest: true))
    source.send("1")
    source.fail("error")
    expectEqual(scene.takeNotes(), ["released: a"])
    scheduler.run()
    expectEqual(scene.takeNotes(), ["value", "failure", "released: 1, downstream, error"])
  }

  @Test(arguments: [false, true]) func aReplacedValueIsReleasedAtOnce(debounces: Bool) {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = ManualScheduler()
    let time = ManualScheduler.SchedulerTimeType.Stride.nanoseconds(13)
    if debounces {
      scene.subscribe(source.debounce(for: time, scheduler: scheduler))
    } else {
      scene.subscribe(source.throttle(for: time, scheduler: scheduler, latest: true))
    }
    source.send("1")
    expectEqual(scene.takeNotes(), [])
    source.send("2")
    expectEqual(scene.takeNotes(), ["released: 1"])
  }

  // MARK: Timers

  enum Operator: CaseIterable { case collect, debounce, throttle, timeout }
  enum Ending: CaseIterable { case finish, failure, cancellation, cancellationInside, release }

  /// The timers do nothing when they're released. The scheduler may keep the action of a timer that
  /// was cancelled.
  @Test(arguments: Operator.allCases, Ending.allCases)
  func everythingIsReleasedAtTheEnd(_ name: Operator, _ ending: Ending) {
    for keepsActions in [false, true] {
      let scene = ReleaseScene()
      let source = scene.source("a")
      let scheduler = PlainTimerScheduler(scene.log, keepsActions: keepsActions)
      let time = ManualScheduler.SchedulerTimeType.Stride.nanoseconds(13)
      switch name {
      case .collect: scene.subscribe(source.collect(.byTime(scheduler, time)))
      case .debounce: scene.subscribe(source.debounce(for: time, scheduler: scheduler))
      case .throttle:
        scene.subscribe(source.throttle(for: time, scheduler: scheduler, latest: true))
      case .timeout: scene.subscribe(source.timeout(time, scheduler: scheduler))
      }
      source.send("1")
      // The countdown of a timeout also starts at the first request and after each value.
      expectEqual(
        scene.takeNotes(),
        (name == .timeout
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
      // A cancellation takes effect at once.
      if ending != .cancellation { scheduler.base.run() }
      expectEqual(scene.takeNotes(), notes(name, ending))
      scheduler.base.run()
      // Only the scheduler still keeps the value, in the action that delivers it.
      expectEqual(
        scene.takeNotes(), (name == .timeout && ending == .cancellation ? ["released: 1"] : []))
    }
  }

  private func notes(_ name: Operator, _ ending: Ending) -> [String] {
    let timer = name == .timeout ? "timer 3" : "timer 1"
    let calls: [String] =
      switch (name, ending) {
      case (.collect, .finish): ["\(timer): cancel", "value", "finished"]
      case (.collect, .failure): ["\(timer): cancel", "failure"]
      case (.collect, .cancellationInside): ["value", "a: cancel", "\(timer): cancel"]
      // Nothing but the timer is left, which doesn't keep the stream.
      case (.collect, .release): ["\(timer): cancel"]
      case (.debounce, .finish): ["\(timer): cancel", "finished"]
      case (.debounce, .failure): ["\(timer): cancel", "failure"]
      case (.debounce, .cancellationInside): ["\(timer): cancel", "value", "a: cancel"]
      case (.debounce, .release): ["\(timer): cancel", "value"]
      case (.throttle, .finish): ["value", "finished"]
      case (.throttle, .failure): ["value", "failure"]
      case (.throttle, .cancellation): ["a: cancel"]
      case (.throttle, .cancellationInside): ["value", "a: cancel"]
      case (.throttle, .release): []
      case (.timeout, .finish): ["\(timer): cancel", "value", "finished"]
      case (.timeout, .failure): ["\(timer): cancel", "value", "failure"]
      case (.timeout, .cancellationInside): ["value", "a: cancel", "\(timer): cancel"]
      case (.timeout, .release): ["value", "\(timer): cancel", "a: cancel", "finished"]
      case (_, .cancellation): ["a: cancel", "\(timer): cancel"]
      }
    var released = ["a", "downstream"]
    if name != .timeout || ending != .cancellation { released.insert("1", at: 0) }
    if ending == .failure { released.append("error") }
    if name != .throttle { released.append(timer) }
    return calls + ["released: \(released.joined(separator: ", "))"]
  }

  @Test func aTimerIsReleasedOnceItsValueIsDelivered() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.debounce(for: .nanoseconds(13), scheduler: scheduler))
    source.send("1")
    scheduler.base.run()
    expectEqual(scene.takeNotes(), ["timer 1: cancel", "value", "released: 1, timer 1"])
  }

  @Test func theFinishReleasesTheTimerOfCollectAtOnce() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.collect(.byTime(scheduler, .nanoseconds(13))))
    source.finish()
    expectEqual(scene.takeNotes(), ["timer 1: cancel", "released: a, timer 1"])
    scheduler.base.run()
    expectEqual(scene.takeNotes(), ["finished", "released: downstream"])
  }

  @Test func aTimerThatCollectMakesWhileUpstreamFinishesIsCancelled() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scheduler.onTimer = { [unowned source] in source.finish() }
    scene.subscribe(source.collect(.byTime(scheduler, .nanoseconds(13))))
    expectEqual(scene.takeNotes(), ["timer 1: cancel", "released: a, timer 1"])
    scheduler.base.run()
    expectEqual(scene.takeNotes(), ["finished", "released: downstream"])
  }

  /// The value comes after the time is up, and before the stream has ended.
  @Test func aTimerForAValueAtTheTimeoutIsCancelled() {
    let scene = ReleaseScene()
    let source = scene.source("a")
    let scheduler = PlainTimerScheduler(scene.log)
    scene.subscribe(source.timeout(.nanoseconds(13), scheduler: scheduler))
    expectEqual(scene.takeNotes(), ["timer 1: cancel", "released: timer 1"])
    scheduler.onCancel = { [unowned source] in source.send("1") }
    scheduler.base.runNext()
    expectEqual(
      scene.takeNotes(),
      [
        "timer 2: cancel", "timer 3: cancel", "a: cancel", "finished",
        "released: a, downstream, timer 2, timer 3",
      ])
    scheduler.base.run()
    expectEqual(scene.takeNotes(), ["released: 1"])
  }
}

/// A scheduler whose timers have to be cancelled: their release does nothing.
private final class PlainTimerScheduler: Scheduler {
  typealias SchedulerTimeType = ManualScheduler.SchedulerTimeType

  let base: ManualScheduler
  private let log: ReleaseLog
  private var count = 0

  /// Runs within the call that makes a timer.
  var onTimer: (() -> Void)?

  /// Runs within the next call that cancels a timer.
  var onCancel: (() -> Void)?

  init(_ log: ReleaseLog, keepsActions: Bool = false) {
    self.log = log
    base = ManualScheduler(cancels: !keepsActions)
  }

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
