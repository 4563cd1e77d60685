import Streams

/// The state of a virtual-time scheduler, and how it goes from one action to the next.
///
/// A call that moves time calls `begin`, and then `next` until nothing is left to do. After each
/// `next` it does what it was told, without a lock. Until the call returns, `run` is set, so no
/// other call can move time: neither on another thread nor inside the action.
///
/// Each action is followed by rounds of settling, until a round finds no work.
struct SchedulerState {
  /// The next step of a call that moves time.
  enum Step {
    /// Let everything attached do its work, then call `endRound`.
    case settle
    /// Everything has settled: check the condition of the call.
    case pause
    case run(() -> Void)
    /// Run an action that waited for its queue.
    case hop(QueueHop)
    case finished
    case failed(GuardFailure)
  }

  /// A call that moves time and has not returned yet.
  struct Run {
    let call: MovingCall
    /// The `ThreadID` of the caller.
    let thread: UInt
    /// The last moment whose work is run.
    let lastMoment: VirtualTime
    let limits: VirtualTimeScheduler.Limits
    /// The number of the last work that was scheduled before it.
    let workBefore: UInt64
    /// How many actions it has begun.
    var count = 0
    /// How many actions led to the last one, each scheduled by the one before.
    var chain = 0
    /// The number of the running action; `nil` between two actions.
    var current: UInt64?
    /// Whether something attached may have work of this instant.
    var isUnsettled = true
    var isSettling = false
    /// Whether a part of a task has run, and the world hasn't settled since. What it has cancelled
    /// may resume others from another thread, until then.
    var followsTask = false
    /// How many rounds of settling found work since the last action.
    var roundsWithWork = 0
    /// Whether the caller has set the limits.
    let hasLimit: Bool
    /// Why it ends before its next action.
    var interruption: GuardFailure?

    /// How many actions lead to what happens now.
    var chainOfNext: Int { count == 0 ? 0 : chain + 1 }
  }

  /// Something that has to settle before time moves.
  struct Attachment {
    let id: UInt64
    /// Whether it may move time itself.
    let movesTime: Bool
    /// Whether it comes only after the others had no work in a round.
    let isLast: Bool
    let settle: @Sendable () -> Bool
  }

  private(set) var now: VirtualTime
  var queue = WorkQueue()
  private(set) var run: Run?
  private(set) var attachments: [Attachment] = []
  private var lastAttachment: UInt64 = 0
  /// The last five actions, for reports. The next one goes to the place of the oldest.
  private var lastActions: [TraceEntry] = []
  private var actionCount = 0

  /// The choices, if there's a schedule.
  var order: WorkOrder?

  /// How many calls have moved time.
  private(set) var callCount: UInt64 = 0

  /// How many actions have begun, and how often time has moved.
  private(set) var stepCount = 0

  /// How often a guard has reported something.
  var failureCount = 0
  private let limits: VirtualTimeScheduler.Limits

  /// How many actions have begun at the present moment.
  private var countAtNow = 0
  /// How many of them followed from one another. Within one moment, work runs in the order of its
  /// numbers, so the work that has been scheduled when a chain gets longer is the rest of its last
  /// link. With a schedule it may run in another order, and then this is an estimate.
  private var chainAtNow = 0
  private var lastOfChainAtNow: UInt64 = 0
  /// How many actions have gone to queues since the last action of the clock in the present call,
  /// if the order isn't the usual one.
  private var hopsInARow = 0
  /// While a call rests, how many actions led to what happens now.
  private var chainOfRest = 0
  private static let mostHops = 100_000

  init(now: VirtualTime, limits: VirtualTimeScheduler.Limits, order: Schedule?) {
    self.now = now
    self.order = order.map { WorkOrder($0) }
    self.limits = limits
  }

  /// Adds work; without a date it's due now.
  mutating func schedule(_ work: Work, at date: VirtualTime? = nil) {
    // Another thread may schedule work meanwhile. The running action isn't the cause of that work.
    if let run, let current = run.current, run.thread == ThreadID.current { work.cause = current }
    // But whatever schedules work during a call follows from the last action, on any thread.
    work.chain = run?.chainOfNext ?? chainOfRest
    work.scheduled = now
    queue.insert(work, at: date ?? now, now: now)
  }

  /// All actions that ran; `nil` unless they are asked for.
  var actions: [ActionRun]?

  /// The work that will come due and would keep ``VirtualTimeScheduler/run(limit:)`` going.
  var unfinishedWork: [Work] { queue.all.filter(\.keepsRunning) }

  /// The actions that ran last, the oldest first.
  var recentActions: [TraceEntry] {
    let start = actionCount % 5
    return actionCount < 5 ? lastActions : Array(lastActions[start...] + lastActions[..<start])
  }

  /// Enters a call that moves time.
  ///
  /// - Parameter limit: How many actions it may run; `nil` for the limits of the scheduler.
  mutating func begin(_ call: MovingCall, limit: Int? = nil) -> GuardFailure? {
    if let run {
      guard run.thread == ThreadID.current else {
        return .secondThread(call, during: run.call)
      }
      return .runInsideAction(call, during: run, action: recentActions.last)
    }
    let target = call.target(from: now)
    if let target, target < now { return .goingBack(call, now: now, target: target) }
    var limits = limits
    if let limit { (limits.actionsInOneCall, limits.actionsInOneChain) = (limit, limit) }
    // Work at `.max` is never due.
    run = Run(
      call: call, thread: ThreadID.current, lastMoment: target ?? .max, limits: limits,
      workBefore: queue.lastNumber, hasLimit: limit != nil)
    callCount += 1
    return nil
  }

  /// Ends the current call.
  mutating func end() {
    run = nil
    order?.picked = nil
    hopsInARow = 0
  }

  /// A call that rests while what it runs may move time itself.
  struct Rest {
    let run: Run?
    let picked: Work?
    let hopsInARow: Int
    let actionCount: Int
    let chainOfRest: Int
  }

  /// Lets the current call rest, so that another one may move time.
  mutating func rest() -> Rest {
    defer {
      // A task that sleeps again and again makes one long chain.
      chainOfRest = run?.chainOfNext ?? chainOfRest
      end()
    }
    return Rest(
      run: run, picked: order?.picked, hopsInARow: hopsInARow, actionCount: actionCount,
      chainOfRest: chainOfRest)
  }

  /// Goes on with a call.
  mutating func goOn(_ rest: Rest) {
    let other = run
    run = rest.run
    chainOfRest = rest.chainOfRest
    if let other, let call = rest.run?.call {
      // Another thread moves time at the moment. Both calls end.
      run?.interruption = .secondThread(call, during: other.call)
    }
    // Another call may have run it.
    order?.picked = rest.picked.flatMap { $0.index == nil ? nil : $0 }
    hopsInARow = rest.actionCount == actionCount ? rest.hopsInARow : 0
  }

  /// Ends the current call before its next action.
  mutating func interrupt(_ failure: GuardFailure) {
    if run?.interruption == nil { run?.interruption = failure }
  }

  mutating func attach(
    movesTime: Bool, isLast: Bool, _ settle: @escaping @Sendable () -> Bool
  ) -> UInt64 {
    lastAttachment += 1
    attachments.append(
      Attachment(id: lastAttachment, movesTime: movesTime, isLast: isLast, settle: settle))
    return lastAttachment
  }

  /// - Returns: The attachment, for the caller to release.
  mutating func detach(_ id: UInt64) -> Attachment? {
    attachments.firstIndex { $0.id == id }.map { attachments.remove(at: $0) }
  }

  /// Ends a round of settling. If it found work, another one follows.
  ///
  /// - Parameter onlyTasks: Whether it was only that of tasks, whose number has a limit of its own.
  mutating func endRound(foundWork: Bool, onlyTasks: Bool) {
    run?.isSettling = false
    run?.isUnsettled = foundWork
    if !foundWork { run?.followsTask = false }
    if foundWork, !onlyTasks { run?.roundsWithWork += 1 }
  }

  /// Ends an action that waited for its queue.
  mutating func endHop(_ hop: QueueHop) {
    run?.isSettling = false
    if hop.movesTime { run?.followsTask = true }
  }

  /// Decides what the current call does next: it lets everything attached settle, or takes the next
  /// action and moves the clock to it.
  ///
  /// - Parameter isPaused: Whether to return `.pause` once everything has settled.
  mutating func next(isPaused: Bool = false) -> Step {
    // A call on another thread has ended both.
    guard let run else { return .finished }
    if let interruption = run.interruption {
      end()
      return .failed(interruption)
    }
    if !run.followsTask, let hop = nextHop(in: run) { return hop }
    if run.isUnsettled, !attachments.isEmpty {
      guard run.roundsWithWork < limits.actionsAtOneInstant else {
        end()
        return .failed(.endlessSettling(now, rounds: run.roundsWithWork))
      }
      self.run?.current = nil
      self.run?.isSettling = true
      return .settle
    }
    if isPaused {
      self.run?.current = nil
      return .pause
    }
    guard run.call.runs(after: run.count), let due = queue.firstDue, due <= run.lastMoment,
      !run.call.needsForeground || queue.foregroundCount > 0
    else {
      if run.call.arrivesAtTarget, run.lastMoment != .max, now < run.lastMoment {
        move(to: run.lastMoment)
        self.run?.isUnsettled = true
        return next()
      }
      end()
      return .finished
    }
    if let failure = limitReached(by: due, in: run) {
      end()
      return .failed(failure)
    }
    move(to: due)
    countAtNow += 1
    if countAtNow == 1 { lastOfChainAtNow = queue.lastNumber }
    guard let work = pickedWork() ?? queue.first else { preconditionFailure("no work is due") }
    let number = work.number
    if number > lastOfChainAtNow {
      chainAtNow += 1
      lastOfChainAtNow = queue.lastNumber
    }
    // A chain begins with the call.
    let chain = number > run.workBefore ? work.chain : 0
    self.run?.count += 1
    self.run?.chain = chain
    self.run?.current = number
    self.run?.isUnsettled = true
    self.run?.roundsWithWork = 0
    let entry = TraceEntry(
      time: now, place: countAtNow, number: Int(number), label: work.options?.label,
      cause: work.cause == 0 ? nil : Int(work.cause), isLate: work.date < work.due)
    if actionCount < 5 { lastActions.append(entry) } else { lastActions[actionCount % 5] = entry }
    actionCount += 1
    stepCount += 1
    hopsInARow = 0
    actions?.append(ActionRun(time: now, number: number))
    return .run(queue.take(work, now: now, chain: chain))
  }

  /// Something that could happen next.
  private enum Candidate {
    case hop(QueueHop)
    case work(Work)
  }

  /// Picks among the actions that wait for their queues and the work that's due now. If it's work,
  /// that runs after the world has settled.
  ///
  /// - Returns: `nil` if no action for a queue is to run now.
  private mutating func nextHop(in run: Run) -> Step? {
    guard order != nil else { return nil }
    let isWorkDue =
      run.call.runs(after: run.count) && queue.firstDue == now
      && (!run.call.needsForeground || queue.foregroundCount > 0)
    if let picked = order?.picked {
      if isWorkDue, picked.index != nil { return nil }
      order?.picked = nil
    }
    guard let hops = order?.nextHops, !hops.isEmpty else { return nil }
    guard hopsInARow < Self.mostHops else {
      let count = hopsInARow
      end()
      return .failed(
        hops.contains { $0.movesTime }
          ? .endlessTasks(now, count: count) : .endlessHops(now, count: count))
    }
    switch pick(from: hops.map { (.hop($0), $0.lane) } + (isWorkDue ? dueWork() : [])) {
    case .work(let work):
      order?.picked = work
      return nil
    case .hop(let hop):
      hopsInARow += 1
      self.run?.current = nil
      self.run?.isUnsettled = true
      self.run?.isSettling = true
      return order?.takeHop(hop.lane).map { .hop($0) }
    }
  }

  /// The work to run next at the present moment; `nil` for the first.
  private mutating func pickedWork() -> Work? {
    guard order != nil else { return nil }
    if let picked = order?.picked.take() { return picked }
    guard case .work(let work) = pick(from: dueWork()) else { return nil }
    return work
  }

  private func dueWork() -> [(Candidate, OrderLane)] {
    queue.firstOfEachLane.map { (.work($0), $0.lane) }
  }

  /// Picks one of several candidates. Their names are needed only if there's a choice.
  private mutating func pick(from candidates: [(Candidate, OrderLane)]) -> Candidate {
    guard candidates.count > 1, let places = order?.preferred(candidates.map(\.1), at: now) else {
      return candidates[0].0
    }
    let names = CandidateName.distinct(
      places.map { place in
        switch candidates[place].0 {
        case .hop(let hop): hop.name
        case .work(let work): work.choiceName
        }
      })
    let lanes = places.map { candidates[$0].1 }
    let pick = places[order?.pick(at: now, from: names, lanes: lanes) ?? 0]
    return candidates[pick].0
  }

  private func limitReached(by due: VirtualTime, in run: Run) -> GuardFailure? {
    if due == now, countAtNow > 0, chainAtNow + 1 >= limits.actionsAtOneInstant {
      return .loopAtOneInstant(now, count: countAtNow, last: recentActions)
    }
    let limits = run.limits
    let length = run.count == 0 ? 0 : run.chain + 1
    for (count, limit) in [
      (length, limits.actionsInOneChain), (run.count, limits.actionsInOneCall),
    ] where count >= limit {
      let repeats = queue.all.map(\.pending).filter { $0.interval != nil }
      return .endlessRun(
        run.call, now: now, count: run.count, limit: limit, repeats: repeats, last: recentActions)
    }
    return nil
  }

  private mutating func move(to moment: VirtualTime) {
    guard moment > now else { return }
    now = moment
    stepCount += 1
    (countAtNow, chainAtNow) = (0, 0)
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
  case settle

  /// The last moment whose work is run; `nil` if the call has no target.
  func target(from now: VirtualTime) -> VirtualTime? {
    switch self {
    case .advanceBy(let interval): now.advanced(by: interval)
    case .advanceTo(let date), .runUntil(let date): date
    case .run, .runWhile, .step, .settle: nil
    }
  }

  /// Whether the call runs one more action after it has run a number of them.
  func runs(after count: Int) -> Bool {
    switch self {
    case .advanceBy, .advanceTo, .run, .runUntil, .runWhile: true
    case .step: count == 0
    case .settle: false
    }
  }

  /// Whether the clock ends at the target rather than at the last action.
  var arrivesAtTarget: Bool {
    switch self {
    case .advanceBy, .advanceTo: true
    case .run, .runUntil, .runWhile, .step, .settle: false
    }
  }

  /// Whether the call ends when only background work is left.
  var needsForeground: Bool {
    switch self {
    case .run, .runWhile: true
    case .advanceBy, .advanceTo, .runUntil, .step, .settle: false
    }
  }
}

extension MovingCall: CustomStringConvertible {
  var description: String {
    let parameter = parameter.map { [$0] } ?? []
    return "\(name)(\(parameter.joined()))"
  }

  /// The call with a limit.
  func description(limit: Int) -> String {
    let parameters = (parameter.map { [$0] } ?? []) + ["limit: \(limit.grouped)"]
    return "\(name)(\(parameters.joined(separator: ", ")))"
  }

  private var name: String {
    switch self {
    case .advanceBy, .advanceTo: "advance"
    case .run, .runUntil, .runWhile: "run"
    case .step: "step"
    case .settle: "settle"
    }
  }

  private var parameter: String? {
    switch self {
    case .advanceBy(let interval): "by: \(interval)"
    case .advanceTo(let date): "to: \(date)"
    case .runUntil(let date): "until: \(date)"
    case .runWhile: "while:"
    case .run, .step, .settle: nil
    }
  }
}

extension Int {
  /// The number as a literal in code, such as `1_000_000`.
  fileprivate var grouped: String {
    self < 1_000 ? "\(self)" : "\((self / 1_000).grouped)_\("\(self % 1_000 + 1_000)".dropFirst())"
  }
}
