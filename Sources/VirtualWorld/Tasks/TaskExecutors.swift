// The one place that uses what Swift hasn't made public yet: it replaces the executors of the
// process. docs/unsafe-code.md says what that relies on. With a compiler that it wasn't tested
// with, tasks run outside worlds.

import StreamsFoundation

#if compiler(>=6.3) && compiler(<6.4) && os(Linux) && !TASKS_OUTSIDE
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
#endif

/// The executors of the process. A part of a task that belongs to a world goes to that world, and
/// every other goes to the executor that Swift would have used.
enum TaskExecutors {
  #if compiler(>=6.3) && compiler(<6.4) && os(Linux) && !TASKS_OUTSIDE
    /// Whether worlds can run tasks in a program that was made by this compiler.
    static let areReplaceable = true

    fileprivate static let standard = StandardExecutor(usual: Task<Never, Never>.defaultExecutor)
    fileprivate static let main = MainActorExecutor(usual: MainActor.executor)

    private struct Factory: ExecutorFactory {
      static var mainExecutor: any MainExecutor { main }
      static var defaultExecutor: any TaskExecutor { standard }
    }

    private static let replacement: Void = {
      // Both ask for the usual executors, so they are made before those are replaced.
      _ = (standard, main)
      _createExecutors(factory: Factory.self)
    }()

    /// Replaces the executors, once.
    static func replace() { replacement }
  #else
    static let areReplaceable = false
    static func replace() {}
  #endif
}

/// The next part of a task, or the next turn of an actor, which is ready to run.
struct TaskPart: @unchecked Sendable {
  /// It's used once.
  private let job: UnownedJob
  /// Whether it runs on the main actor.
  let isMain: Bool
  /// Whether it's a part of a task. If not, it's the turn of an actor, or the end of a sleep.
  let isOfTask: Bool

  /// The identity of the task while it lives.
  var address: UInt { unsafeBitCast(job, to: UInt.self) }

  /// The identity of the task, which no other task ever gets.
  var task: String { job.description }

  /// The number of the task. Later tasks have higher ones.
  var number: Int { Self.number(of: job) }

  /// A number that all later tasks reach.
  static var nextNumber: Int {
    let task = ThreadMark.startingTasks(in: nil) { Task.detached {} }
    return number(of: unsafeBitCast(task, to: UnownedJob.self))
  }

  private static func number(of job: UnownedJob) -> Int {
    Int(job.description.filter(\.isNumber)) ?? .max
  }

  #if compiler(>=6.3) && compiler(<6.4) && os(Linux) && !TASKS_OUTSIDE
    fileprivate init(_ job: UnownedJob, isMain: Bool) {
      (self.job, self.isMain) = (job, isMain)
      isOfTask = ExecutorJob(job).kind.rawValue == ExecutorJob.Kind.task.rawValue
    }

    /// Runs it here, up to where it has to wait. The caller is on the right queue.
    func run() {
      if isMain {
        job.runSynchronously(on: MainActor.sharedUnownedExecutor)
      } else {
        job.runSynchronously(on: TaskExecutors.standard.asUnownedTaskExecutor())
      }
    }

    /// Gives it to the executor that would have run it without a world.
    func runOutside() {
      if isMain {
        TaskExecutors.main.usual.enqueue(ExecutorJob(job))
      } else {
        TaskExecutors.standard.usual.enqueue(ExecutorJob(job))
      }
    }
  #else
    func run() {}
    func runOutside() {}
  #endif
}

#if compiler(>=6.3) && compiler(<6.4) && os(Linux) && !TASKS_OUTSIDE
  private final class StandardExecutor: TaskExecutor, SchedulingExecutor {
    let usual: any TaskExecutor

    init(usual: any TaskExecutor) { self.usual = usual }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let isTaken = TaskOwners.areAsked && TaskOwners.take(TaskPart(job, isMain: false))
      if !isTaken { usual.enqueue(ExecutorJob(job)) }
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      if let delay = delay as? Duration, sleep(job, delay) { return }
      usualScheduling.enqueue(
        ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      if TaskOwners.areAsked, let rest = clock.now.duration(to: instant) as? Duration,
        sleep(job, rest)
      {
        return
      }
      usualScheduling.enqueue(
        ExecutorJob(job), at: instant, tolerance: tolerance, clock: clock)
    }

    /// - Parameter rest: How long the current task sleeps from now.
    /// - Returns: Whether a world takes it.
    private func sleep(_ job: UnownedJob, _ rest: Duration) -> Bool {
      TaskOwners.areAsked && TaskOwners.sleep(TaskPart(job, isMain: false), rest: rest)
    }

    private var usualScheduling: any SchedulingExecutor {
      guard let usual = usual as? any SchedulingExecutor else {
        preconditionFailure("the usual executor can't wait for a clock")
      }
      return usual
    }
  }

  private final class MainActorExecutor: MainExecutor, @unchecked Sendable {
    let usual: any MainExecutor

    init(usual: any MainExecutor) { self.usual = usual }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let isTaken = TaskOwners.areAsked && TaskOwners.take(TaskPart(job, isMain: true))
      if !isTaken { usual.enqueue(ExecutorJob(job)) }
    }

    func run() throws { try usual.run() }
    func runUntil(_ condition: () -> Bool) throws { try usual.runUntil(condition) }
    func stop() { usual.stop() }
    var isMainExecutor: Bool { true }
    func checkIsolated() { usual.checkIsolated() }
    func isIsolatingCurrentContext() -> Bool? { MainQueueMark.isHere }
  }
#endif
