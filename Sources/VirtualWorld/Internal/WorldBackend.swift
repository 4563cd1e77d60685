import Foundation
import Streams
import StreamsFoundation
import StubNetwork
import Timeline
import VirtualTime

/// The part of a world that schedulers know: its clock, and the runner of its queued actions.
///
/// A separate object, because it has to be attached to the clock before the world is made.
final class WorldBackend: SchedulerBackend {
  private struct State {
    weak var world: World?
    var hasEnded = false
    /// The tasks that have moved time, or asked for the world.
    var drivers: Set<String> = []
    var operationQueues: [OperationQueue] = []
  }

  /// The tasks of the world.
  let tasks: WorldTasks

  private let clock: VirtualTimeScheduler
  private let runner: any QueuedActionRunner
  private let onFailure: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    clock: VirtualTimeScheduler, runner: any QueuedActionRunner, tasks: WorldTasks,
    onFailure: @escaping @Sendable (String) -> Void
  ) {
    self.tasks = tasks
    self.clock = clock
    self.runner = runner
    self.onFailure = onFailure
    tasks.world = self
  }

  /// The world of this backend; `nil` once it was released.
  var world: World? {
    get { state.withLock { $0.world } }
    set { state.withLock { $0.world = newValue } }
  }

  /// - Returns: Whether this was the first call.
  func end() -> Bool {
    state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
  }

  // MARK: Called by the clock

  /// Runs the queued actions that were sent.
  ///
  /// - Returns: Whether there were any.
  func settleOnce() -> Bool {
    noteDriver()
    return runner.settle()
  }

  /// Whether queued actions and parts of tasks wait until the clock settles.
  var hasWaitingActions: Bool {
    runner.hasWaitingActions || clock.hasHops || tasks.haveReadyParts
  }

  /// Releases the queued actions that wait, and lets its tasks go, when the world ends.
  func dropActions() {
    tasks.letGo()
    runner.drop()
    TaskOwners.end(self)
  }

  // MARK: Where code runs

  /// Trusts the calling task: what it does belongs to the world.
  func noteDriver() {
    guard SchedulingScope.frame?.task != SchedulingScope.currentTask,
      let task = SchedulingScope.currentTaskName
    else { return }
    _ = state.withLock { $0.drivers.insert(task) }
  }

  /// Whether a task has moved time, or asked for the world.
  func isDriver(_ task: String?) -> Bool {
    guard let task else { return false }
    return state.withLock { $0.drivers.contains(task) }
  }

  /// Lets operations of a queue count as part of the world.
  func add(_ queue: OperationQueue) { state.withLock { $0.operationQueues.append(queue) } }

  /// The place that the calling code runs in.
  var place: RunningPlace { runner.place { isInside } }

  private var isInside: Bool {
    if ThreadMark.current === self { return true }
    if let frame = SchedulingScope.frame, frame.backend === self {
      // A `Task { }` inherits the frame, but runs at the same time as the code that made it.
      if SchedulingScope.currentTask == frame.task { return true }
      return isDriver(SchedulingScope.currentTaskName)
    }
    if SchedulingScope.backendOfCurrentQueue === self { return true }
    return attachedOperationQueue != nil
  }

  /// The operation queue that the calling code runs on, if it's attached to this world.
  private var attachedOperationQueue: OperationQueue? {
    guard let queue = OperationQueue.current else { return nil }
    return state.withLock { $0.operationQueues.first { $0 === queue } }
  }

  /// Whether the calling code runs in a block of a queue that's attached to this world.
  var isOnAttachedQueue: Bool { SchedulingScope.backendOfCurrentQueue === self }

  /// Where the calling code runs, in words, if that's neither the main queue nor the test's own
  /// code; `nil` if it's one of these.
  ///
  /// The test's own code is what moves time, and what the clock runs for it, such as the values of
  /// its inputs. Responses aren't, although they arrive on the same thread.
  var placeOffMain: String? {
    switch place {
    case _ where isOnAttachedQueue, _ where attachedOperationQueue != nil: "on an attached queue"
    case _ where tasks.runOffMain: "in a Task"
    case .queue(let name): MainQueueMark.isHere ? nil : "on the queue \"\(name)\""
    case .outside: MainQueueMark.isHere ? nil : "in a Task, or on a thread or queue of its own"
    case .world:
      SessionCallback.current.map { callback in
        (callback.request.map { "from request \($0), " } ?? "") + "on the session's queue"
      }
    }
  }

  /// Whether the calling code is outside the world, also where its queue isn't the current one.
  var isCalledFromOutside: Bool {
    // A program with one world knows its thread, and its queues know the world.
    !isInside && place == .outside
  }

  // MARK: Called by schedulers

  var now: Int64 { clock.now.nanoseconds }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func schedule(after date: Int64, for place: QueuedAction.Place, _ action: @escaping () -> Void) {
    checkPlace()
    clock.schedule(
      after: VirtualTime(nanoseconds: date), tolerance: .zero, options: options(for: place), action)
  }

  /// The queue of a timer, which counts only where orders are explored.
  private func options(for place: QueuedAction.Place) -> VirtualTimeScheduler.Options? {
    guard clock.isOrdered else { return nil }
    var options = VirtualTimeScheduler.Options()
    options.orderQueue = place.serialQueue
    options.orderDetail = originOfWork
    return options
  }

  /// What the work that's being scheduled follows from, such as `after typed: value a`; `nil` if
  /// the program's own code schedules it.
  private var originOfWork: OrderDetail? {
    guard let timeline = world?.timeline, let number = timeline.currentCause,
      let event = timeline.event(number)
    else { return nil }
    return OrderDetail { Self.words(for: event) }
  }

  /// What the calling code follows from, in the same words.
  var originOfTask: String? {
    guard let timeline = world?.timeline, let number = timeline.currentCause else { return nil }
    return timeline.event(number).map(Self.words)
  }

  private static func words(for event: Timeline.Event) -> String {
    // Before it's escaped, because a value may be long.
    let kind = String(event.kind.description.prefix(40)).onOneLine
    return "after \(event.lane.name): \(kind.prefix(40))"
  }

  func schedule(
    after date: Int64, interval: Int64, for place: QueuedAction.Place,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    checkPlace()
    return clock.schedule(
      after: VirtualTime(nanoseconds: date), interval: .nanoseconds(Int(interval)),
      tolerance: .zero,
      options: options(for: place), action)
  }

  func send(_ action: QueuedAction) {
    checkPlace()
    let cause = Timeline.settledCause
    let enter: @Sendable (() -> Void) -> Void = { run in
      SchedulingScope.enter(self) { Timeline.following(cause, run) }
    }
    let runner = runner
    guard clock.isOrdered else {
      // Passed on once, under the lock of the tasks.
      nonisolated(unsafe) let action = action
      let isTaken = tasks.take { runner.send(action, entering: enter) }
      return isTaken ? () : runner.send(action, entering: enter)
    }
    clock.take(
      QueueHop(
        to: action.place.serialQueue, named: "the work for \(action.label)", detail: originOfWork
      ) {
        runner.send(action, entering: enter)
        _ = runner.settle()
      } drop: {
        action.drop()
      })
  }

  /// Notes work that comes from outside the world: its place in the order is random.
  private func checkPlace() {
    if place == .outside { world?.noteStray("work that was sent to a scheduler", "scheduler") }
  }

  func refuse(_ problem: String) { onFailure(problem) }
}
