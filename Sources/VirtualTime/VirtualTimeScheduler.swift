import Streams

/// A scheduler whose time moves only when you move it, and whose order is the same in every run.
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
/// Work never runs in the call that schedules it. It runs in a call that moves time.
///
/// ## Order
///
/// These rules hold for the usual order. With a ``Schedule``, work of one instant may change
/// places.
///
/// 1. Work runs in order of due time, and within one instant in order of insertion. One counter
///    numbers all work, and no number is reused.
/// 2. Work scheduled at ``now`` from inside an action runs in the same instant, after everything
///    already due then. It never moves time.
/// 3. Work with a date in the past is due now, and its ``TraceEntry`` is marked late. Time never
///    goes back.
/// 4. A repeating action is scheduled again *before* it runs, with a new place in the order, so it
///    can cancel itself. Its n-th date is exactly `start + n * interval`.
/// 5. Cancelling removes the work at once, even if it's due in the same instant. Releasing the
///    token cancels.
/// 6. Within one instant, scripted cancels run before all other work. A scripted cancel is work
///    with the option ``Options/isCancellation``.
/// 7. The tolerance is recorded, but doesn't move work. Options carry a label and `background`.
/// 8. Only one thread at a time runs work. Any thread may schedule and cancel. Work from other
///    threads is numbered as it arrives. If you need the same order each time, let it arrive in a
///    fixed order while no action runs, as StubNetwork does.
///
/// ## What else has to settle
///
/// Not everything runs on a clock: a network answers from its own queues, and work may wait on the
/// main queue. Attach such a thing with ``attach(_:)``. Every call that moves time then lets it
/// finish its work of an instant before the clock moves on, whichever call it is. So
/// `advance(by: .milliseconds(399))` starts a request that was made at 0 at 0, and not at 399ms.
///
/// ``VirtualTime/max`` means never. Work due then is accepted and listed by ``pendingWork``, but it
/// never runs and doesn't keep ``run(limit:)`` going.
///
/// ## Guards
///
/// A call that would hang or show wrong times is refused and reported: see ``GuardFailure``. Unless
/// you pass an `onFailure`, the report ends the program.
///
/// ## Threads
///
/// You can call everything here from any thread. No lock is held while an action runs or is
/// released.
public final class VirtualTimeScheduler: Sendable {
  /// The name of this scheduler in reports.
  public let name: String

  private let onFailure: @Sendable (GuardFailure) -> Void
  private let takeSite: (@Sendable () -> any WorkSite)?
  private let carry: (@Sendable (@escaping () -> Void, _ isRepeated: Bool) -> () -> Void)?
  private let state: Locked<SchedulerState>

  /// What the script of the run decides.
  package let script: Script

  /// Whether it makes choices, so that each work needs a lane.
  package let isOrdered: Bool

  /// Makes a scheduler.
  ///
  /// - Parameters:
  ///   - now: The first moment; not ``VirtualTime/max``.
  ///   - name: Its name in reports; if `nil`, the file and line where it was made.
  ///   - limits: How much may run before the scheduler reports that something doesn't end.
  ///   - order: The choices between things that could happen in either order; `nil` for the usual
  ///     order.
  ///   - onFailure: Called with the report of a guard, on the thread that broke the rule and
  ///     outside any lock. When it returns, the call that broke the rule returns too.
  ///   - fileID: The file for the default name.
  ///   - line: The line for the default name.
  public convenience init(
    now: VirtualTime = .zero, name: String? = nil, limits: Limits = .default,
    order: Schedule? = nil,
    onFailure: @escaping @Sendable (GuardFailure) -> Void = GuardFailure.trap,
    fileID: String = #fileID, line: Int = #line
  ) {
    self.init(
      now: now, name: name ?? "scheduler made at \(fileID):\(line)", limits: limits, order: order,
      takeSite: nil, carry: nil, onFailure: onFailure)
  }

  /// Makes a scheduler that knows where its work was scheduled.
  ///
  /// - Parameters:
  ///   - moves: Other times for what the script of the run decides.
  ///   - takeSite: Called for each scheduled action, where it's scheduled.
  ///   - carry: Called for each scheduled action, where it's scheduled. It returns the action to
  ///     run instead, which may bring along what it finds there. It's told whether the action is
  ///     repeated.
  package init(
    now: VirtualTime = .zero, name: String, limits: Limits,
    order: Schedule? = nil, moves: [Move] = [],
    takeSite: (@Sendable () -> any WorkSite)?,
    carry: (@Sendable (@escaping () -> Void, _ isRepeated: Bool) -> () -> Void)?,
    onFailure: @escaping @Sendable (GuardFailure) -> Void
  ) {
    precondition(now != .max, "a scheduler can't start at VirtualTime.max, which means never")
    self.name = name
    self.takeSite = takeSite
    self.carry = carry
    self.onFailure = onFailure
    isOrdered = order != nil
    script = Script(moves)
    var state = SchedulerState(now: now, limits: limits, order: order)
    // The runs of a sweep are compared.
    if !moves.isEmpty { state.actions = [] }
    self.state = Locked(state)
  }
}

extension VirtualTimeScheduler: Scheduler {
  /// The present moment. Only the calls that move time change it.
  public var now: VirtualTime { state.withLock { $0.now } }

  /// No tolerance: virtual time is exact.
  public var minimumTolerance: VirtualTime.Interval { .zero }

  /// Runs the action at the present moment, after everything already due then.
  public func schedule(options: Options?, _ action: @escaping () -> Void) {
    guard isUsable() else { return }
    let work = work(tolerance: .zero, options, action)
    state.withLock { $0.schedule(work) }
  }

  /// Runs the action at a moment, or now if the moment has passed.
  public func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Interval, options: Options?,
    _ action: @escaping () -> Void
  ) {
    guard isUsable() else { return }
    let work = work(tolerance: tolerance, options, action)
    state.withLock { $0.schedule(work, at: date) }
  }

  /// Runs the action at a moment, or now if the moment has passed, and then after each interval.
  ///
  /// - Returns: Keep this: cancelling or releasing it ends the repeats.
  public func schedule(
    after date: VirtualTime, interval: VirtualTime.Interval, tolerance: VirtualTime.Interval,
    options: Options?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    guard interval > .zero else {
      fail(.repeatWithoutTime(interval))
      return Subscriptions.empty
    }
    guard isUsable() else { return Subscriptions.empty }
    let work = work(every: interval, tolerance: tolerance, options, action)
    state.withLock { $0.schedule(work, at: date) }
    return ScheduledRepeat(work, on: self)
  }

  private func work(
    every interval: VirtualTime.Interval? = nil, tolerance: VirtualTime.Interval,
    _ options: Options?, _ action: @escaping () -> Void
  ) -> Work {
    // With the longest interval, the second date means never.
    let action = carry?(action, interval.map { $0 < .max } ?? false) ?? action
    return Work(
      every: interval, tolerance: tolerance, options: options, site: takeSite?(), action)
  }

  fileprivate func cancel(_ work: Work) {
    // The action is released here, not under the lock.
    _ = state.withLock { $0.queue.cancel(work) }
  }
}

extension VirtualTimeScheduler {
  /// Moves time by an interval and runs all work that comes due, including work due at the target.
  ///
  /// The clock ends at the target, even if the last action was earlier. (`run(until:)` leaves it at
  /// the last action.)
  ///
  /// - Parameters:
  ///   - interval: How far to move time; without it, the work that is due now runs.
  ///   - limit: How many actions may run before this reports that it doesn't end; `nil` for the
  ///     scheduler's ``Limits``. It's the same for all calls that have it.
  public func advance(by interval: VirtualTime.Interval = .zero, limit: Int? = nil) {
    perform(.advanceBy(interval), limit: limit)
  }

  /// Moves time to a moment and runs all work that comes due, including work due at that moment.
  ///
  /// The clock ends at the target, even if the last action was earlier. Only ``VirtualTime/max`` is
  /// never reached: the clock then stays at the last action, as `run(until:)` always leaves it.
  public func advance(to date: VirtualTime, limit: Int? = nil) {
    perform(.advanceTo(date), limit: limit)
  }

  /// Runs until no foreground work is left.
  ///
  /// Background work that comes due meanwhile runs too. The clock ends at the last action.
  public func run(limit: Int? = nil) { perform(.run, limit: limit) }

  /// Runs all work due up to and including a moment.
  ///
  /// The clock ends at the last action. (`advance(to:)` leaves it at the target.)
  public func run(until date: VirtualTime, limit: Int? = nil) {
    perform(.runUntil(date), limit: limit)
  }

  /// Runs as long as a condition holds and foreground work is left.
  ///
  /// - Parameters:
  ///   - condition: Called before each action.
  ///   - limit: How many actions may run; `nil` for the scheduler's ``Limits``.
  public func run(while condition: () -> Bool, limit: Int? = nil) {
    withoutActuallyEscaping(condition) { _ = perform(.runWhile, while: $0, limit: limit) }
  }

  /// Runs the next action, foreground or background, and moves the clock there.
  ///
  /// - Returns: The action that ran; `nil` if nothing will come due.
  @discardableResult
  public func step() -> TraceEntry? {
    perform(.step) == 0 ? nil : state.withLock { $0.recentActions.last }
  }

  /// Lets everything attached finish its work of this instant. No action runs and no time passes.
  ///
  /// Every call that moves time does this too, before each action and at its end.
  public func settle() { perform(.settle) }

  /// Attaches something that has work outside the clock: before time moves, it has to settle.
  ///
  /// Before each action, and at the end of each call that moves time, the clock calls everything
  /// attached, in the order of attachment, again and again until all of it returns `false` in one
  /// round. It may schedule work on the clock. It can't move time.
  ///
  /// If it still finds work after as many rounds as actions may run at one instant, that counts as
  /// a loop: see ``GuardFailure``.
  ///
  /// - Parameter settle: Does the work that is pending now, and returns whether there was any. It's
  ///   called on the thread that moves time, without a lock.
  /// - Returns: Keep this: cancelling or releasing it detaches.
  public func attach(_ settle: @escaping @Sendable () -> Bool) -> any Cancellable & Sendable {
    Attachment(to: self, id: state.withLock { $0.attach(movesTime: false, isLast: false, settle) })
  }

  /// Attaches something whose work may move time itself, such as tasks.
  ///
  /// - Parameter isLast: Whether it comes only after all others had no work in a round.
  package func attachTasks(
    isLast: Bool = false, _ settle: @escaping @Sendable () -> Bool
  ) -> any Cancellable & Sendable {
    Attachment(to: self, id: state.withLock { $0.attach(movesTime: true, isLast: isLast, settle) })
  }

  fileprivate func detach(_ id: UInt64) {
    // The closure is released here, not under the lock.
    _ = state.withLock { $0.detach(id) }
  }

  /// The work that hasn't run yet, in the order in which it will run.
  public var pendingWork: [PendingWork] { state.withLock { $0.queue.all.map(\.pending) } }

  /// The same, and where it was scheduled.
  package var pendingWorkWithSites: [(work: PendingWork, site: (any WorkSite)?)] {
    state.withLock { $0.queue.all.map { ($0.pending, $0.site) } }
  }

  /// All actions that ran so far, in a run with moves; otherwise empty.
  package var actions: [ActionRun] { state.withLock { $0.actions ?? [] } }

  /// The moment of the next action, also of background work; `nil` if nothing will come due.
  package var firstDue: VirtualTime? { state.withLock { $0.queue.firstDue } }

  /// The moment of the next action that ``run(limit:)`` would run; `nil` if it would end.
  package var nextDue: VirtualTime? {
    state.withLock { $0.queue.foregroundCount > 0 ? $0.queue.firstDue : nil }
  }

  /// A mark that's different after each call that moves time, and after work was scheduled.
  package struct Activity: Hashable, Sendable {
    fileprivate let callCount: UInt64
    fileprivate let lastWork: UInt64
  }

  /// The present mark; `nil` while a call moves time.
  package var activity: Activity? {
    state.withLock { state in
      guard state.run == nil else { return nil }
      return Activity(callCount: state.callCount, lastWork: state.queue.lastNumber)
    }
  }

  /// - Returns: How many actions it ran.
  @discardableResult
  private func perform(
    _ call: MovingCall, while condition: (() -> Bool)? = nil, limit: Int? = nil
  ) -> Int {
    guard begin(call, limit: limit) else { return 0 }
    var count = 0
    var isConditionDue = condition != nil
    while true {
      switch state.withLock({ $0.next(isPaused: isConditionDue) }) {
      case .settle:
        settleAttachments()
      case .pause:
        isConditionDue = false
        if let condition, !condition() {
          state.withLock { $0.end() }
          return count
        }
      case .hop(let hop):
        resting(hop.movesTime, hop.run)
        state.withLock { $0.endHop(hop) }
      case .run(let action):
        count += 1
        action()
        isConditionDue = condition != nil
      case .finished:
        return count
      case .failed(let failure):
        fail(failure)
        dropHops()
        return count
      }
    }
  }

  /// Runs one round of settling.
  private func settleAttachments() {
    var (foundWork, onlyTasks) = (false, true)
    let attachments = state.withLock { $0.attachments }
    for attachment in attachments
    where !attachment.isLast && resting(attachment.movesTime, attachment.settle) {
      foundWork = true
      if !attachment.movesTime { onlyTasks = false }
    }
    if !foundWork {
      for attachment in attachments
      where attachment.isLast && resting(attachment.movesTime, attachment.settle) {
        foundWork = true
      }
    }
    state.withLock { $0.endRound(foundWork: foundWork, onlyTasks: onlyTasks) }
  }

  /// Runs a body. If it may move time itself, the current call rests meanwhile.
  private func resting<Result>(_ movesTime: Bool, _ body: () -> Result) -> Result {
    guard movesTime else { return body() }
    let rest = state.withLock { $0.rest() }
    defer { state.withLock { $0.goOn(rest) } }
    return body()
  }

  private func begin(_ call: MovingCall, limit: Int?) -> Bool {
    guard isUsable() else { return false }
    let failure = state.withLock { $0.begin(call, limit: limit) }
    if let failure { fail(failure) }
    return failure == nil
  }
}

extension VirtualTimeScheduler {
  /// Reports work left at the end of a scope, unless a guard has reported something before.
  func checkThatWorkIsFinished() {
    let failure = state.withLock { state -> GuardFailure? in
      let work = state.unfinishedWork.map(\.pending)
      return work.isEmpty || state.failureCount > 0 ? nil : .unfinishedWork(work, now: state.now)
    }
    if let failure { fail(failure) }
  }

  /// The work that will come due and would keep ``run(limit:)`` going, and where it was scheduled.
  package var unfinishedWork: [(work: PendingWork, site: (any WorkSite)?)] {
    state.withLock { $0.unfinishedWork.map { ($0.pending, $0.site) } }
  }

  // MARK: Orders

  /// The choices so far; none with the usual order, which doesn't choose.
  package var choices: [OrderChoice] { state.withLock { $0.order?.choices ?? [] } }

  /// Why the schedule doesn't fit the run; `nil` if it does. Ask at the end of the run.
  public var scheduleProblem: String? {
    state.withLock { $0.order?.problemAtEnd }
  }

  /// Where the schedule hasn't fitted so far; `nil` if it has.
  package var scheduleMisfit: String? { state.withLock { $0.order?.problem } }

  /// Takes an action that waits for its queue. Only a clock that `isOrdered` does.
  package func take(_ hop: QueueHop) {
    // Passed to the thread that moves time.
    nonisolated(unsafe) let hop = hop
    state.withLock { $0.order?.add(hop) }
  }

  /// Whether actions wait for their queues.
  package var hasHops: Bool { state.withLock { $0.order?.hasHops ?? false } }

  private func dropHops() {
    let hops = state.withLock { $0.order?.removeHops() ?? [] }
    for hop in hops { hop.drop() }
  }

  /// Removes all work and releases it.
  package func dropPendingWork() {
    dropHops()
    // The work is released here, not under the lock.
    _ = state.withLock { $0.queue.removeAll() }
  }

  /// Whether this scheduler may be used here. If not, this reports it to the scheduler of the
  /// scope.
  private func isUsable() -> Bool {
    guard let other = VirtualTimeScope.scheduler, other !== self else { return true }
    other.fail(.differentSchedulers(used: name, scope: other.name))
    return false
  }

  // MARK: Being watched

  /// The call that moves time, seen by something that watches its work.
  package struct Progress: Sendable {
    /// Its number, which no other call of this scheduler has.
    package let call: UInt64

    /// How many of its actions led to what happens now, each scheduled by the one before. Each run
    /// of a timer counts.
    package let chain: Int

    /// Whether the call ends at a certain time, however much work there is.
    package let hasEnd: Bool

    /// Whether the code that calls it has set a limit.
    package let hasLimit: Bool

    /// The call as in code, such as `run()`.
    package let name: String

    /// The same with a higher limit.
    package let nameWithLimit: String
  }

  /// The call that moves time now; `nil` if none does.
  package var progress: Progress? {
    state.withLock { state in
      state.run.map { run in
        Progress(
          call: state.callCount, chain: run.count == 0 ? 0 : run.chain + 1,
          hasEnd: run.call.target(from: state.now) != nil,
          hasLimit: run.hasLimit, name: "\(run.call)",
          nameWithLimit: run.call.description(limit: 1_000_000))
      }
    }
  }

  /// Ends the call that moves time before its next action, with a report.
  package func interrupt(_ rule: GuardFailure.Rule, _ message: String) {
    state.withLock { $0.interrupt(GuardFailure(rule: rule, message: message)) }
  }

  /// A number that's higher after each action, and after time has moved.
  package var stepCount: Int { state.withLock { $0.stepCount } }

  /// Reports tasks that go on without time moving.
  package func reportEndlessTasks(_ count: Int) {
    fail(.endlessTasks(now, count: count))
  }

  /// How often a guard has reported something.
  package var failureCount: Int { state.withLock { $0.failureCount } }

  func fail(_ failure: GuardFailure) {
    state.withLock { $0.failureCount += 1 }
    onFailure(failure)
  }
}

/// Cancels a repeat when it is cancelled or released.
private final class ScheduledRepeat: Cancellable {
  private let work: Work
  private let scheduler: VirtualTimeScheduler

  init(_ work: Work, on scheduler: VirtualTimeScheduler) {
    (self.work, self.scheduler) = (work, scheduler)
  }

  deinit { cancel() }

  func cancel() { scheduler.cancel(work) }
}

/// Detaches something from a clock when it is cancelled or released.
private final class Attachment: Cancellable, Sendable {
  private weak let scheduler: VirtualTimeScheduler?
  private let id: UInt64

  init(to scheduler: VirtualTimeScheduler, id: UInt64) {
    self.scheduler = scheduler
    self.id = id
  }

  deinit { cancel() }

  func cancel() { scheduler?.detach(id) }
}
