import Foundation
import Streams
import StreamsFoundation
import VirtualTime

/// The tasks of a world: what's ready to run, and what sleeps.
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

  /// A task that sleeps.
  struct Sleep {
    let end: VirtualTime
    let sleeper: Known?
    /// The line of the call, if it's known.
    var source: World.Problem.Source?
    /// Called if the world ends before; `nil` if the task then never wakes.
    var wake: (@Sendable () -> Void)?
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
    /// How many parts of the test have run, and whether it's one on the main actor.
    var (partsOfTest, testIsOnMain) = (0, false)
    /// The number of the first task that can belong to this world.
    var firstTask = 0
    var lastTask = 0
    /// Those of `Task.sleep`, by the task that sleeps.
    var sleeping: [String: (part: TaskPart, token: any Cancellable)] = [:]
    /// All sleeps, in the order in which they began.
    var sleeps: [(number: Int, sleep: Sleep)] = []
    var lastSleep = 0
    var running: Running?
    /// How many parts have run at an instant.
    var (count, instant) = (0, VirtualTime.zero)
    var reportedMixture = false
    var onArrival: (@Sendable () -> Void)?
  }

  /// The greatest number of parts at one instant.
  private static let limit = 100_000
  static let labelOfSleep = "a task's sleep"

  private let clock: VirtualTimeScheduler
  private let runner: any QueuedActionRunner
  private let takeSite: (@Sendable () -> any World.Site)?
  private let onFailure: @Sendable (String) -> Void
  private let state = Locked(State())

  init(
    clock: VirtualTimeScheduler, runner: any QueuedActionRunner,
    takeSite: (@Sendable () -> any World.Site)?, onFailure: @escaping @Sendable (String) -> Void
  ) {
    (self.clock, self.runner, self.takeSite) = (clock, runner, takeSite)
    self.onFailure = onFailure
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
  var testIsOnMain: Bool { state.withLock { $0.testIsOnMain } }

  /// Begins to run tasks.
  ///
  /// - Parameter firstTask: The number of the first task that can belong to this world.
  func begin(firstTask: Int) {
    state.withLock { ($0.firstTask, $0.areInside) = (firstTask, true) }
  }

  /// Whether a task was there before this world.
  func wasBefore(_ part: TaskPart) -> Bool { part.number < state.withLock { $0.firstTask } }

  /// Starts the test's own task.
  func startTest(_ start: () -> Void) {
    state.withLock { $0.takesTest = true }
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
    if let task, let (wake, token) = state.withLock({ $0.sleeping.removeValue(forKey: task) }) {
      token.cancel()
      take(wake)
    }
    let isForeign = ThreadMark.current !== world
    // The turn of an actor goes with the task that needs it, and so does a yield.
    let known = task.map { self.known($0) } ?? sleeper ?? (isForeign ? nil : running)
    let isLate = state.withLock { state in
      guard state.areInside else { return true }
      if isForeign { state.foreign.append((known, part)) }
      return false
    }
    if isLate { return part.runOutside() }
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
    let gap = state.withLock { $0.running }.map { ContinuousClock.now - $0.start } ?? .zero
    let span = Self.span(atLeast: rest, atMost: rest + gap)
    let end = clock.now.advanced(by: .nanoseconds(Int(span)))
    let known = state.withLock { $0.known[sleeper] }
    let number = begin(Sleep(end: end, sleeper: known))
    nonisolated(unsafe) let token = schedule(at: end) { [self] in
      self.end(number)
      if state.withLock({ $0.sleeping.removeValue(forKey: sleeper) }) != nil {
        take(part, endingSleepOf: known)
      }
    }
    let ending = AnyCancellable { [self] in
      token.cancel()
      self.end(number)
    }
    state.withLock { $0.sleeping[sleeper] = (part, ending) }
  }

  /// Runs an action at the end of a sleep. A repeat, because its token cancels it. The second run
  /// never comes.
  func schedule(at end: VirtualTime, _ wake: @escaping () -> Void) -> any Cancellable {
    defer { signal() }
    return clock.schedule(
      after: end, interval: .max, tolerance: .zero,
      options: VirtualTimeScheduler.Options(label: Self.labelOfSleep), wake)
  }

  /// Notes a sleep.
  ///
  /// - Returns: Its number.
  func begin(_ sleep: Sleep) -> Int {
    state.withLock { state in
      state.lastSleep += 1
      state.sleeps.append((state.lastSleep, sleep))
      return state.lastSleep
    }
  }

  func end(_ number: Int) {
    state.withLock { state in state.sleeps.removeAll { $0.number == number } }
  }

  /// The task whose part runs at the moment.
  private var running: Known? { state.withLock { $0.running?.known } }

  /// What's known of the current task.
  var current: Known? {
    SchedulingScope.currentTaskName.flatMap { task in state.withLock { $0.known[task] } }
  }

  /// The span of a sleep without a clock. Swift tells when the sleep ends, and not how long it was
  /// meant to be. It began after its part of the task did. So this is the roundest span that fits,
  /// but no rounder than a quarter of it.
  private static func span(atLeast rest: Duration, atMost limit: Duration) -> Int64 {
    let least = max(0, rest / .nanoseconds(1))
    // Three centuries, which is forever.
    guard least < 9e18 else { return .max }
    let most = limit / .nanoseconds(1)
    for microseconds in [
      60_000_000, 10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 5_000, 1_000,
      500, 100, 10,
    ] {
      let unit = Double(microseconds) * 1_000
      guard unit <= max(1_000_000, least / 4) else { continue }
      let span = (least / unit).rounded(.up) * unit
      if span <= most { return Int64(span) }
    }
    return Int64((least / 1_000).rounded(.up)) * 1_000
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
      // A test on the main actor begins elsewhere, and goes there at once.
      if isTest {
        state.partsOfTest += 1
        if state.partsOfTest == 2 { state.testIsOnMain = part.isMain }
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

  /// The tasks that still sleep.
  var sleeps: [Sleep] { state.withLock { $0.sleeps.map(\.sleep) } }

  /// Lets the usual executors run what's ready. What sleeps on the world's clock is told of the
  /// end. What sleeps with `Task.sleep` never wakes, unless it's cancelled.
  func letGo() {
    // Its tokens hold this object, and are released outside the lock.
    let (ready, sleeps, sleeping) = state.withLock { state in
      defer {
        (state.areInside, state.hasEnded) = (false, true)
        (state.ready, state.foreign, state.sleeps, state.sleeping) = ([], [], [], [:])
      }
      return (
        state.ready + state.foreign.map { .part($0.part, $0.known) }, state.sleeps, state.sleeping
      )
    }
    defer { withExtendedLifetime(sleeping) {} }
    for next in ready {
      switch next {
      case .part(let part, _): part.runOutside()
      case .action(let send): send()
      }
    }
    for (_, sleep) in sleeps { sleep.wake?() }
  }

  /// Whether the tasks were let go.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
}

extension World.Problem {
  /// One problem for each place with tasks that still sleep.
  static func list(
    _ sleeps: [WorldTasks.Sleep], advice: String = "run the world until it's done, or cancel it"
  ) -> [Self] {
    var groups: [(first: WorldTasks.Sleep, source: Source?, count: Int)] = []
    for sleep in sleeps {
      let source = sleep.source ?? sleep.sleeper?.site?.source
      if let index = groups.firstIndex(where: { $0.source == source }) {
        groups[index].count += 1
      } else {
        groups.append((sleep, source, 1))
      }
    }
    return groups.map { sleep, source, count in
      let place = source.map { " at \($0.fileName):\($0.line)" } ?? ""
      let what =
        sleep.source == nil
        ? "a task\(place.isEmpty ? "" : ", started\(place),") still sleeps"
        : "a task still sleeps\(place),"
      let more = count == 1 ? "" : " and \(count - 1) more"
      return Self(
        message: "\(what) until \(sleep.end)\(more): \(advice)",
        source: source)
    }
  }
}
