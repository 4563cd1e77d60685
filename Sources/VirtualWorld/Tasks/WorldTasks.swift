import Foundation
import Streams
import StreamsFoundation
import VirtualTime

/// The tasks of a world: what's ready to run, and what runs.
///
/// A task runs in parts, each up to its next `await` that has to wait. The world runs one part at a
/// time, in the order in which they became ready, inside the calls that move time.
final class WorldTasks: Sendable {
  /// What's known of a task.
  struct Known {
    /// Its number, in the order in which tasks came.
    let number: Int
    /// The code that started it; `nil` if that's not known.
    let site: (any World.Site)?
    /// What that code follows from, where orders are explored; `nil` if that's nothing.
    let origin: String?
    /// Whether it runs the test itself.
    let isTest: Bool
  }

  /// Something that's ready to run, in the order in which it came.
  private enum Ready {
    case part(TaskPart, Known?)
    /// An action for a queue that was sent while parts were ready. It hands the action on.
    case action(@Sendable () -> Void)
  }

  /// A part that runs.
  private struct Running {
    /// The task that it belongs to, if that's known.
    let known: Known?
    /// Whether it's one of the test itself.
    let isTest: Bool
    let isMain: Bool
    /// The task of the code that runs it.
    let caller = SchedulingScope.currentTask
    /// When it began on the wall clock.
    let start = ContinuousClock.now
  }

  private struct State {
    weak var world: WorldBackend?
    var areInside = false
    var hasEnded = false
    var ready: ArraySlice<Ready> = []
    /// What other threads have made ready since the world settled.
    var foreign: [(known: Known?, part: TaskPart)] = []
    var known: [String: Known] = [:]
    var takesTest = false
    /// Whether the test is one on the main actor; `nil` while that isn't known.
    var testIsOnMain: Bool?
    /// Whether a part of it has run.
    var testHasBegun = false
    /// The number of the first task that can belong to this world.
    var firstTask = 0
    var lastTask = 0
    var running: Running?
    /// How many parts have run at an instant.
    var (count, instant) = (0, VirtualTime.zero)
    var yieldLoop = YieldLoop()
    var reportedMixture = false
    var onArrival: (@Sendable () -> Void)?
  }

  /// The greatest number of parts at one instant.
  private static let limit = 100_000

  private let clock: VirtualTimeScheduler
  private let runner: any QueuedActionRunner
  private let takeSite: (@Sendable () -> any World.Site)?
  private let onFailure: @Sendable (String) -> Void
  private let state = Locked(State())
  let sleeps: TaskSleeps

  init(
    clock: VirtualTimeScheduler, runner: any QueuedActionRunner,
    takeSite: (@Sendable () -> any World.Site)?, onFailure: @escaping @Sendable (String) -> Void
  ) {
    (self.clock, self.runner, self.takeSite) = (clock, runner, takeSite)
    self.onFailure = onFailure
    sleeps = TaskSleeps(clock: clock)
  }

  /// The world that they belong to.
  var world: WorldBackend? {
    get { state.withLock { $0.world } }
    set { state.withLock { $0.world = newValue } }
  }

  /// Whether this world runs tasks.
  var areInside: Bool { state.withLock { $0.areInside } }

  /// Called when the world may have something to do, on any thread.
  var onArrival: (@Sendable () -> Void)? {
    get { state.withLock { $0.onArrival } }
    set { state.withLock { $0.onArrival = newValue } }
  }

  /// Whether something is ready that isn't among the clock's choices.
  var haveReadyParts: Bool { state.withLock { !$0.ready.isEmpty || !$0.foreign.isEmpty } }

  /// Whether the test is one on the main actor.
  var testIsOnMain: Bool { state.withLock { $0.testIsOnMain ?? false } }

  /// Begins to run tasks.
  ///
  /// - Parameter firstTask: The number of the first task that can belong to this world.
  func begin(firstTask: Int) {
    state.withLock { ($0.firstTask, $0.areInside) = (firstTask, true) }
  }

  /// Whether a task was there before this world.
  func wasBefore(_ part: TaskPart) -> Bool { part.number < state.withLock { $0.firstTask } }

  /// Starts the test's own task.
  ///
  /// - Parameter onMain: Whether it's one on the main actor; `nil` if that isn't known.
  func startTest(onMain: Bool?, _ start: () -> Void) {
    state.withLock { ($0.takesTest, $0.testIsOnMain) = (true, onMain) }
    start()
    state.withLock { $0.takesTest = false }
  }

  // MARK: Called by the executors

  /// Takes a part that's ready.
  ///
  /// - Parameter sleeper: The task whose sleep it ends; `nil` if it's something else.
  func take(_ part: TaskPart, endingSleepOf sleeper: Known? = nil) {
    let task = part.isOfTask ? part.task : nil
    // Something else than time wakes a task that sleeps: it was cancelled.
    if let task, let wake = sleeps.cut(task) { take(wake) }
    let isForeign = ThreadMark.current !== world
    let caller = SchedulingScope.currentTask
    // The turn of an actor goes with the task that needs it, and so does a yield.
    let known = task.map { self.known($0) } ?? sleeper ?? (isForeign ? nil : running)
    var followsYield = false
    let isLate = state.withLock { state in
      guard state.areInside else { return true }
      if isForeign {
        state.foreign.append((known, part))
        state.yieldLoop.noteOther()
      } else if known?.isTest ?? false, let running = state.running {
        let isByTask = caller != nil && caller != running.caller
        followsYield = state.yieldLoop.take(isOfTask: part.isOfTask, isByTask: isByTask)
      }
      return false
    }
    if isLate { return part.runOutside() }
    if let known, followsYield, park(part, known) { return signal() }
    if !isForeign { add(part, known) }
    signal()
  }

  /// Takes the parts that other threads have made ready, such as those of a session. The clock
  /// calls this when these threads have done their work. So what they bring comes in the order of
  /// the tasks, and not in that of the threads.
  ///
  /// - Returns: Whether there were any.
  func takeForeign() -> Bool {
    let parts = state.withLock { state in
      defer { state.foreign = [] }
      return state.foreign
    }
    let places = parts.enumerated().map { (number: $1.known?.number ?? .max, index: $0) }
    for place in places.sorted(by: <) { add(parts[place.index].part, parts[place.index].known) }
    return !parts.isEmpty
  }

  private func add(_ part: TaskPart, _ known: Known?) {
    guard clock.isOrdered else { return state.withLock { $0.ready.append(.part(part, known)) } }
    clock.take(
      QueueHop(
        to: part.isMain ? QueuedAction.Place.mainQueue.serialQueue : nil, named: name(of: known),
        task: known?.number, movesTime: true
      ) { [self] in
        run(part, known)
      } drop: {
        part.runOutside()
      })
  }

  // MARK: A test that yields in a loop

  /// Parks the part of a test that has called `Task.yield()`, if it's in a loop and nothing else
  /// can run.
  ///
  /// - Returns: Whether it's parked.
  private func park(_ part: TaskPart, _ known: Known) -> Bool {
    let (now, step) = (clock.now, clock.stepCount)
    // With a schedule, the test may have been picked again and again before others.
    let goesBeforeOthers = clock.hasHops
    return state.withLock { state in
      state.yieldLoop.countYield(at: now)
      guard state.ready.isEmpty, state.foreign.isEmpty, state.areInside else { return false }
      return state.yieldLoop.park(part, known, at: goesBeforeOthers ? nil : step)
    }
  }

  /// The number of the loop in which the test is parked; `nil` if it isn't.
  var loop: Int? { state.withLock { $0.yieldLoop.parkedIn } }

  /// Lets a parked test go on, if something has happened since. The clock calls this when all else
  /// has settled.
  ///
  /// - Returns: Whether something goes on.
  func unparkIfLate() -> Bool {
    if haveReadyParts { return true }
    let step = clock.stepCount
    return !clock.hasHops && state.withLock { $0.yieldLoop.isLate(at: step) } && unpark()
  }

  /// Lets a parked test go on.
  ///
  /// - Parameter isLastResort: Whether nothing else was left to do.
  /// - Returns: Whether it was parked.
  @discardableResult
  func unpark(isLastResort: Bool = false) -> Bool {
    let now = clock.now
    let parked = state.withLock { state in
      let parked = state.yieldLoop.unpark(at: now, isLastResort: isLastResort)
      if parked != nil { state.count = 0 }
      return parked
    }
    guard let parked else { return false }
    add(parked.part, parked.known)
    return true
  }

  /// Takes an action for a queue, if parts are ready that came before it. Without this, the action
  /// would overtake them, and in a search of orders it wouldn't.
  ///
  /// - Parameter send: Hands the action to the runner.
  /// - Returns: Whether it took it.
  func take(action send: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard !state.ready.isEmpty else { return false }
      state.ready.append(.action(send))
      return true
    }
  }

  /// Says that the world has something to do.
  func signal() { onArrival?() }

  private func known(_ task: String) -> Known {
    if let known = state.withLock({ $0.known[task] }) { return known }
    let site = takeSite?()
    let origin = clock.isOrdered ? world?.originOfTask : nil
    return state.withLock { state in
      if !state.takesTest { state.lastTask += 1 }
      let known = Known(
        number: state.lastTask, site: site, origin: origin, isTest: state.takesTest)
      state.takesTest = false
      state.known[task] = known
      return known
    }
  }

  /// What people call a task.
  private func name(of known: Known?) -> String {
    guard let known else { return "the turn of an actor" }
    if known.isTest { return "the test" }
    guard let source = known.site?.source else {
      return "task \(known.number)" + (known.origin.map { " (\($0))" } ?? "")
    }
    return "the task started at \(source.fileName):\(source.line)"
  }

  func noteMixture(_ part: TaskPart, with other: WorldBackend) {
    // A test that has made the other world may resume its own tasks there.
    if world?.world?.waiting.withLock({ $0.inner > 0 }) ?? false { return }
    let known = state.withLock { state -> Known?? in
      defer { state.reportedMixture = true }
      return state.reportedMixture ? nil : .some(state.known[part.task])
    }
    guard let known else { return }
    onFailure(
      "\(name(of: known)) went on in the world of another test: something is shared by tests that run "
        + "at the same time, such as an actor in a static let. Make one for each test, or add "
        + ".serialized to their suite")
  }

  // MARK: Sleeps

  /// Lets the current task sleep.
  ///
  /// - Parameters:
  ///   - part: The part that wakes it.
  ///   - sleeper: The task.
  ///   - rest: How long it sleeps from now on the wall clock.
  func sleep(_ part: TaskPart, sleeper: String, rest: Duration) {
    let (known, gap) = state.withLock { state in
      (state.known[sleeper], state.running.map { ContinuousClock.now - $0.start } ?? .zero)
    }
    sleeps.begin(of: sleeper, known, wakingBy: part, rest: rest, gap: gap) { [self] in
      take($0, endingSleepOf: known)
    }
    signal()
  }

  /// The task whose part runs at the moment.
  private var running: Known? { state.withLock { $0.running?.known } }

  /// What's known of the current task.
  var current: Known? {
    SchedulingScope.currentTaskName.flatMap { task in state.withLock { $0.known[task] } }
  }

  // MARK: Called by the clock

  /// Runs the next part that's ready. Before another one runs, the network settles, because what
  /// this one has cancelled resumes others from another thread.
  ///
  /// - Returns: Whether there was any.
  func settleOnce() -> Bool {
    switch state.withLock({ $0.ready.popFirst() }) {
    case .part(let part, let known): run(part, known)
    case .action(let send):
      send()
      _ = runner.settle()
    case nil: return false
    }
    return true
  }

  private func run(_ part: TaskPart, _ known: Known?) {
    let isTest = part.isOfTask && known?.isTest ?? false
    let now = clock.now
    let (outer, isEndless) = state.withLock { state in
      state.count = state.instant == now ? state.count + 1 : 1
      state.instant = now
      if !(known?.isTest ?? false) { state.yieldLoop.noteOther() }
      if isTest {
        // A test on the main actor begins elsewhere, and goes there at once. So does one that
        // isn't, if its first step calls something on the main actor. Swift doesn't tell.
        if state.testHasBegun { state.testIsOnMain = state.testIsOnMain ?? part.isMain }
        state.testHasBegun = true
      }
      defer { state.running = Running(known: known, isTest: isTest, isMain: part.isMain) }
      return (state.running, state.count > Self.limit)
    }
    defer { state.withLock { $0.running = outer } }
    if isEndless {
      clock.reportEndlessTasks(Self.limit)
      letGo()
      return part.runOutside()
    }
    runner.runPart(isMain: part.isMain, label: isTest || !part.isMain ? nil : "main") {
      ThreadMark.with(self.world) { part.run() }
    }
  }

  /// Whether a part of a task runs at the moment.
  var isRunning: Bool { state.withLock { $0.running != nil } }

  /// Whether a task of the code under test runs at the moment, and not on the main actor.
  var runOffMain: Bool { state.withLock { $0.running.map { !$0.isTest && !$0.isMain } ?? false } }

  // MARK: The end

  /// Lets the usual executors run what's ready. What sleeps on the world's clock is told of the
  /// end. What sleeps with `Task.sleep` never wakes, unless it's cancelled.
  func letGo() {
    let now = clock.now
    let ready = state.withLock { state in
      defer {
        (state.areInside, state.hasEnded) = (false, true)
        (state.ready, state.foreign) = ([], [])
      }
      let parked = state.yieldLoop.unpark(at: now).map { [Ready.part($0.part, $0.known)] } ?? []
      return state.ready + parked + state.foreign.map { .part($0.part, $0.known) }
    }
    for next in ready {
      switch next {
      case .part(let part, _): part.runOutside()
      case .action(let send): send()
      }
    }
    sleeps.letGo()
  }

  /// Whether the tasks were let go.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
