import Streams

/// A scheduler whose time stands still until it is told to move, and whose order is always the
/// same.
///
/// ```swift
/// let clock = VirtualTimeScheduler()
/// clock.schedule(after: .seconds(2)) { print("later, at", clock.now) }
/// clock.schedule { print("at once") }
/// clock.run()
/// // Prints "at once"
/// // Prints "later, at 2s"
/// ```
///
/// Work never runs in the call that schedules it, but in a call that moves time.
///
/// ## Order
///
/// 1. Work runs in order of due time; at one instant in order of insertion. All work is numbered by
///    one counter, and no number is used again.
/// 2. Work scheduled at ``now`` from inside an action runs in the same instant, after everything
///    already due then. It never moves time.
/// 3. A date in the past is due now, and is marked late in the trace. Time never goes back.
/// 4. A repeating action is put in again *before* it runs, with a new place in the order, so that it
///    can cancel itself; its n-th date is `start + n * interval` exactly.
/// 5. Cancelling removes the work at once, also work due in the same instant. Dropping the token
///    cancels.
/// 6. At one instant, a scripted cancel comes before all other work: that is work whose options say
///    so (``Options/isCancellation``).
/// 7. The tolerance is recorded, but does not move work. Options carry a label and `background`.
/// 8. Only one thread at a time runs work. Any thread may schedule and cancel. Work from other
///    threads is numbered as it arrives, so to have the same order each time, let it arrive in a
///    fixed order while no action runs, as StubNetwork does.
///
/// ``VirtualTime/max`` means never: such work is accepted and listed by ``pendingWork``, but it is
/// not due, and keeps nothing going.
///
/// ## Guards
///
/// What would hang, or make time lie, is refused and reported: see ``GuardFailure``. Without an
/// `onFailure` of your own the report ends the program.
///
/// ## Threads
///
/// Everything here may be called from any thread. No lock is held while an action runs or is
/// released.
public final class VirtualTimeScheduler: Sendable {
  /// What this scheduler is called in reports.
  public let name: String

  private let onFailure: @Sendable (GuardFailure) -> Void
  private let state: Locked<SchedulerState>

  /// Makes a scheduler.
  ///
  /// - Parameters:
  ///   - now: The first moment; not ``VirtualTime/max``.
  ///   - name: What to call it in reports; if `nil`, the place where it was made.
  ///   - limits: How far it goes before it reports that something does not end.
  ///   - onFailure: Called with what a guard has to report, on the thread that broke the rule and
  ///     outside of any lock. When it returns, the call that broke the rule returns too.
  ///   - fileID: The file to name it after.
  ///   - line: The line to name it after.
  public init(
    now: VirtualTime = .zero, name: String? = nil, limits: Limits = .default,
    onFailure: @escaping @Sendable (GuardFailure) -> Void = GuardFailure.trap,
    fileID: String = #fileID, line: Int = #line
  ) {
    precondition(now != .max, "a scheduler cannot start at never")
    self.name = name ?? "scheduler made at \(fileID):\(line)"
    self.onFailure = onFailure
    state = Locked(SchedulerState(now: now, limits: limits))
  }
}

extension VirtualTimeScheduler: Scheduler {
  /// The present moment, which only the calls that move time change.
  public var now: VirtualTime { state.withLock { $0.now } }

  /// No tolerance: virtual time is exact.
  public var minimumTolerance: VirtualTime.Interval { .zero }

  /// Runs the action at the present moment, after everything already due then.
  public func schedule(options: Options?, _ action: @escaping () -> Void) {
    guard isUsable() else { return }
    let details = WorkDetails.needed(tolerance: .zero, options: options)
    state.withLock { _ = $0.schedule(at: nil, details: details, action) }
  }

  /// Runs the action at a moment, or now if that has passed.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Interval, options: Options?,
    _ action: @escaping () -> Void
  ) {
    guard isUsable() else { return }
    let details = WorkDetails.needed(tolerance: tolerance, options: options)
    state.withLock { _ = $0.schedule(at: date, details: details, action) }
  }

  /// Runs the action at a moment, or now if that has passed, and then after each interval.
  ///
  /// - Returns: What cancels the repeats when it is cancelled or released.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Interval, tolerance: VirtualTime.Interval,
    options: Options?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard interval > .zero else {
      fail(.repeatWithoutTime(interval))
      return Subscriptions.empty
    }
    guard isUsable() else { return Subscriptions.empty }
    let details = WorkDetails.needed(tolerance: tolerance, options: options)
    let token = ScheduledRepeat(on: self)
    state.withLock {
      token.slot = UInt32($0.schedule(at: date, every: interval, details: details, action))
      token.generation = $0.queue.generation
    }
    return token
  }

  fileprivate func cancel(_ token: ScheduledRepeat) {
    // The action is released here, not under the lock.
    _ = state.withLock { state -> (() -> Void)? in
      guard token.generation == state.queue.generation else { return nil }
      token.generation = 0
      return state.queue.cancel(Int(token.slot))
    }
  }
}

extension VirtualTimeScheduler {
  /// Lets time pass and runs all work that comes due, at the target itself too.
  ///
  /// The clock ends at the target, even if the last action was earlier. (`run(until:)` leaves it at
  /// the last action.)
  ///
  /// - Parameter interval: How long; without one, the work that is ready runs.
  public func advance(by interval: VirtualTime.Interval = .zero) {
    perform(.advanceBy(interval))
  }

  /// Lets time pass until a moment and runs all work that comes due, at that moment too.
  ///
  /// The clock ends at the target, even if the last action was earlier; but it cannot end at
  /// ``VirtualTime/max``. (`run(until:)` leaves it at the last action.)
  public func advance(to date: VirtualTime) { perform(.advanceTo(date)) }

  /// Runs until no foreground work is left.
  ///
  /// Background work that is due on the way runs too. The clock ends at the last action.
  public func run() { perform(.run) }

  /// Runs all that is due up to a moment, also at that moment itself.
  ///
  /// The clock ends at the last action. (`advance(to:)` puts it to the target.)
  public func run(until date: VirtualTime) { perform(.runUntil(date)) }

  /// Runs as long as a condition holds and foreground work is left.
  ///
  /// - Parameter condition: Asked before each action.
  public func run(while condition: () -> Bool) {
    withoutActuallyEscaping(condition) { perform(.runWhile, while: $0) }
  }

  /// Runs the next action, foreground or background, and moves the clock there.
  ///
  /// - Returns: What ran; `nil` if nothing will come due.
  @discardableResult
  public func step() -> TraceEntry? {
    guard begin(.step) else { return nil }
    let (step, entry) = state.withLock { ($0.next(), $0.ring.last(1).first) }
    guard case .run(let action) = step else {
      if case .failed(let failure) = step { fail(failure) }
      return nil
    }
    action()
    state.withLock { $0.run = nil }
    return entry
  }

  /// The work that is still to be done, in the order in which it will be done.
  public var pendingWork: [PendingWork] { state.withLock { $0.queue.pendingWork() } }

  /// When ``run()`` would do something next; `nil` if it would end.
  package var nextDue: VirtualTime? {
    state.withLock { $0.queue.foregroundCount > 0 ? $0.queue.firstDue() : nil }
  }

  /// The actions that have run, as many as the limits let it keep.
  public var trace: Trace { state.withLock { $0.ring.trace } }

  private func perform(_ call: MovingCall, while condition: (() -> Bool)? = nil) {
    guard begin(call) else { return }
    while true {
      if let condition {
        state.withLock { $0.run?.current = nil }
        guard condition() else { return state.withLock { $0.run = nil } }
      }
      switch state.withLock({ $0.next() }) {
      case .run(let action): action()
      case .finished: return
      case .failed(let failure): return fail(failure)
      }
    }
  }

  private func begin(_ call: MovingCall) -> Bool {
    guard isUsable() else { return false }
    let failure = state.withLock { $0.begin(call) }
    if let failure { fail(failure) }
    return failure == nil
  }
}

extension VirtualTimeScheduler {
  /// Reports work that is left at the end of a scope, unless something was reported before.
  func checkThatWorkIsFinished() {
    let failure = state.withLock { state -> GuardFailure? in
      let work = state.unfinishedWork()
      return work.isEmpty || state.hasFailed ? nil : .unfinishedWork(work, now: state.now)
    }
    if let failure { fail(failure) }
  }

  /// Takes out all work and releases it.
  func dropPendingWork() {
    // The work is released here, not under the lock.
    _ = state.withLock { $0.queue.removeAll(now: $0.now) }
  }

  /// Whether this may be used here; if not, that is reported to the scope that this is not part of.
  private func isUsable() -> Bool {
    guard let other = VirtualTimeScope.scheduler, other !== self else { return true }
    other.fail(.differentSchedulers(used: name, scope: other.name))
    return false
  }

  private func fail(_ failure: GuardFailure) {
    state.withLock { $0.hasFailed = true }
    onFailure(failure)
  }
}

/// Cancels a repeat when it is cancelled or released.
///
/// It says where the repeat is in the queue. That is set before anything else knows the token, and
/// changed under the scheduler's lock only.
private final class ScheduledRepeat: Cancellable {
  private let scheduler: VirtualTimeScheduler
  @exclusivity(unchecked) var slot: UInt32 = 0

  /// The generation of the queue that the slot is in; 0 after the cancellation.
  @exclusivity(unchecked) var generation: UInt32 = 0

  init(on scheduler: VirtualTimeScheduler) { self.scheduler = scheduler }

  deinit { cancel() }

  func cancel() { scheduler.cancel(self) }
}
