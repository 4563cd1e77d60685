import Streams
import VirtualTime

/// The sleeps of a world's tasks: those on its clock, and those of `Task.sleep`.
final class TaskSleeps: Sendable {
  /// A task that sleeps.
  struct Sleep {
    let end: VirtualTime
    let sleeper: WorldTasks.Known?
    /// The line of the call, if it's known.
    var source: World.Problem.Source?
    /// Called if the world ends before; `nil` if the task then never wakes.
    var wake: (@Sendable () -> Void)?
  }

  private struct State {
    /// All of them, in the order in which they began.
    var all: [(number: Int, sleep: Sleep)] = []
    var last = 0
    /// Those of `Task.sleep`, by the task that sleeps.
    var withoutClock: [String: (number: Int, part: TaskPart, token: (any Cancellable)?)] = [:]
  }

  /// The label of the work that ends a sleep.
  static let label = "a task's sleep"

  private let clock: VirtualTimeScheduler
  private let state = Locked(State())

  init(clock: VirtualTimeScheduler) { self.clock = clock }

  /// Those that aren't over.
  var all: [Sleep] { state.withLock { $0.all.map(\.sleep) } }

  /// Notes a sleep.
  ///
  /// - Returns: Its number.
  func begin(_ sleep: Sleep) -> Int {
    state.withLock { state in
      state.last += 1
      state.all.append((state.last, sleep))
      return state.last
    }
  }

  /// Forgets a sleep that's over.
  func end(_ number: Int) {
    state.withLock { state in state.all.removeAll { $0.number == number } }
  }

  /// Runs an action at the end of a sleep. A repeat, because its token cancels it. The second run
  /// never comes.
  func schedule(at end: VirtualTime, _ wake: @escaping () -> Void) -> any Cancellable {
    clock.schedule(
      after: end, interval: .max, tolerance: .zero,
      options: VirtualTimeScheduler.Options(label: Self.label), wake)
  }

  // MARK: Without a clock

  /// Begins a `Task.sleep`.
  ///
  /// - Parameters:
  ///   - task: The identity of the task.
  ///   - sleeper: What's known of it.
  ///   - part: The part that wakes it.
  ///   - rest: How long it sleeps from now on the wall clock.
  ///   - gap: How long ago the sleep can have begun.
  ///   - wake: Called with the part when it's over.
  func begin(
    of task: String, _ sleeper: WorldTasks.Known?, wakingBy part: TaskPart, rest: Duration,
    gap: Duration, _ wake: @escaping @Sendable (TaskPart) -> Void
  ) {
    let span = Self.span(atLeast: rest, atMost: rest + gap)
    let end = clock.now.advanced(by: .nanoseconds(Int(span)))
    let number = begin(Sleep(end: end, sleeper: sleeper))
    state.withLock { $0.withoutClock[task] = (number, part, nil) }
    nonisolated(unsafe) let token = schedule(at: end) { [self] in
      self.end(number)
      if state.withLock({ $0.withoutClock.removeValue(forKey: task) }) != nil { wake(part) }
    }
    let ending = AnyCancellable { [self] in
      token.cancel()
      self.end(number)
    }
    state.withLock { state in
      // If another thread moves time, it may be over already.
      guard state.withoutClock[task]?.number == number else { return }
      state.withoutClock[task]?.token = ending
    }
  }

  /// Ends the `Task.sleep` of a task before its time, because it was cancelled.
  ///
  /// - Returns: The part that wakes it; `nil` if it doesn't sleep.
  func cut(_ task: String) -> TaskPart? {
    let sleep = state.withLock { $0.withoutClock.removeValue(forKey: task) }
    sleep?.token?.cancel()
    return sleep?.part
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

  // MARK: The end

  /// Wakes what sleeps on the world's clock. What sleeps with `Task.sleep` never wakes, unless it's
  /// cancelled.
  func letGo() {
    // The tokens hold this object, and are released outside the lock.
    let (all, withoutClock) = state.withLock { state in
      defer { (state.all, state.withoutClock) = ([], [:]) }
      return (state.all, state.withoutClock)
    }
    defer { withExtendedLifetime(withoutClock) {} }
    for (_, sleep) in all { sleep.wake?() }
  }
}

extension World.Problem {
  /// One problem for each place with tasks that still sleep.
  static func list(
    _ sleeps: [TaskSleeps.Sleep], advice: String = "run the world until it's done, or cancel it"
  ) -> [Self] {
    var groups: [(first: TaskSleeps.Sleep, source: Source?, count: Int)] = []
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
