/// The state of a virtual-time scheduler, and how it goes from one action to the next.
///
/// A call that moves time calls `begin`, and then `next` until nothing is left to do. After each
/// `next` it runs the action it got, without a lock. Until the call returns, `run` is set, so no
/// other call can move time: neither on another thread nor inside the action.
struct SchedulerState {
  /// The next step of a call that moves time.
  enum Step {
    case run(() -> Void)
    case finished
    case failed(GuardFailure)
  }

  /// A call that moves time and has not returned yet.
  struct Run {
    let call: MovingCall
    let thread: RunningThread
    /// The last moment whose work is run.
    let lastMoment: VirtualTime
    /// How many actions it has begun.
    var count = 0
    /// The number of the running action; `nil` between two actions.
    var current: UInt64?
  }

  private(set) var now: VirtualTime
  var queue: WorkQueue
  var run: Run?
  private(set) var ring: TraceRing

  /// Whether a guard has reported something.
  var hasFailed = false
  private let limits: VirtualTimeScheduler.Limits

  /// How many actions have begun at the present moment.
  private var countAtNow = 0

  init(now: VirtualTime, limits: VirtualTimeScheduler.Limits) {
    self.now = now
    self.limits = limits
    queue = WorkQueue(from: now)
    ring = TraceRing(capacity: limits.traceLength)
  }

  /// Adds work; without a date it's due now.
  ///
  /// - Returns: The slot of the work in the queue.
  @discardableResult
  mutating func schedule(
    at date: VirtualTime?, every interval: VirtualTime.Interval? = nil, details: WorkDetails?,
    _ action: @escaping () -> Void
  ) -> Int {
    var cause: UInt64 = 0
    // Another thread may schedule work meanwhile. The running action isn't the cause of that work.
    if let run, let current = run.current, run.thread == .current { cause = current }
    return queue.insert(
      at: date ?? now, every: interval, now: now, cause: cause, details: details, action)
  }

  /// The work that will come due and would keep ``VirtualTimeScheduler/run()`` going.
  func unfinishedWork() -> [PendingWork] {
    queue.pendingWork().filter { !$0.isBackground && $0.due != .max }
  }

  /// Enters a call that moves time.
  mutating func begin(_ call: MovingCall) -> GuardFailure? {
    if let run {
      guard run.thread == .current else {
        return .secondThread(call, on: .current, during: run.call, on: run.thread)
      }
      return .runInsideAction(call, action: run.current == nil ? nil : ring.last(1).first)
    }
    let target = call.target(from: now)
    if let target, target < now { return .goingBack(call, now: now, target: target) }
    // Work at `.max` is never due.
    run = Run(call: call, thread: .current, lastMoment: target ?? .max)
    return nil
  }

  /// Takes the next action of the current call, and moves the clock to it.
  mutating func next() -> Step {
    guard let run else { preconditionFailure("no call is moving time") }
    guard let due = queue.firstDue(), due <= run.lastMoment,
      !run.call.needsForeground || queue.foregroundCount > 0
    else {
      if run.call.arrivesAtTarget, run.lastMoment != .max { move(to: run.lastMoment) }
      self.run = nil
      return .finished
    }
    if let failure = limitReached(by: due, in: run) {
      self.run = nil
      return .failed(failure)
    }
    move(to: due)
    countAtNow += 1
    let work = queue.takeFirst(now: now)
    self.run?.count += 1
    self.run?.current = work.number
    ring.append(
      TraceEntry(
        time: now, place: countAtNow, number: Int(work.number), label: work.label,
        cause: work.cause == 0 ? nil : Int(work.cause), isLate: work.isLate))
    return .run(work.action)
  }

  private func limitReached(by due: VirtualTime, in run: Run) -> GuardFailure? {
    if due == now, countAtNow >= limits.actionsAtOneInstant {
      return .loopAtOneInstant(now, count: countAtNow, last: ring.last(5))
    }
    if run.count >= limits.actionsInOneCall {
      let repeats = queue.pendingWork().filter { $0.interval != nil }
      return .endlessRun(run.call, now: now, count: run.count, repeats: repeats, last: ring.last(5))
    }
    return nil
  }

  private mutating func move(to moment: VirtualTime) {
    guard moment > now else { return }
    now = moment
    countAtNow = 0
  }
}

/// A call that moves time. Its description is the call as you'd write it.
enum MovingCall {
  case advanceBy(VirtualTime.Interval)
  case advanceTo(VirtualTime)
  case run
  case runUntil(VirtualTime)
  case runWhile
  case step

  /// The last moment whose work is run; `nil` if the call has no target.
  func target(from now: VirtualTime) -> VirtualTime? {
    switch self {
    case .advanceBy(let interval): now.advanced(by: interval)
    case .advanceTo(let date), .runUntil(let date): date
    case .run, .runWhile, .step: nil
    }
  }

  /// Whether the clock ends at the target rather than at the last action.
  var arrivesAtTarget: Bool {
    switch self {
    case .advanceBy, .advanceTo: true
    case .run, .runUntil, .runWhile, .step: false
    }
  }

  /// Whether the call ends when only background work is left.
  var needsForeground: Bool {
    switch self {
    case .run, .runWhile: true
    case .advanceBy, .advanceTo, .runUntil, .step: false
    }
  }
}

extension MovingCall: CustomStringConvertible {
  var description: String {
    switch self {
    case .advanceBy(let interval): "advance(by: \(interval))"
    case .advanceTo(let date): "advance(to: \(date))"
    case .run: "run()"
    case .runUntil(let date): "run(until: \(date))"
    case .runWhile: "run(while:)"
    case .step: "step()"
    }
  }
}
