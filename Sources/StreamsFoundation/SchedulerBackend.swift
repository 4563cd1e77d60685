import Dispatch
import Foundation
import Streams
import Synchronization

/// The part of a world that schedulers know: they send their work here instead of running it.
///
/// In a world, whatever code gives to a scheduler waits for the world's clock, and then runs on its
/// own queue, one thing at a time. `DispatchQueue`, `RunLoop` and `OperationQueue` ask
/// ``SchedulingScope/backend`` for that of the code that calls them. Outside a world, they work as
/// usual.
package protocol SchedulerBackend: AnyObject, Sendable {
  /// The nanoseconds since the world began.
  var now: Int64 { get }

  /// Whether the world is over, so that schedulers work as usual again.
  var hasEnded: Bool { get }

  /// Runs an action when the clock reaches a date. It sends the work to its place.
  func schedule(after date: Int64, for place: QueuedAction.Place, _ action: @escaping () -> Void)

  /// Runs an action when the clock reaches a date, and after each interval.
  ///
  /// - Returns: Cancelling or releasing it ends the repeats.
  func schedule(
    after date: Int64, interval: Int64, for place: QueuedAction.Place,
    _ action: @escaping () -> Void
  ) -> any Cancellable

  /// Runs an action on its queue, at the present instant, after all work that was sent before.
  func send(_ action: QueuedAction)

  /// Reports work that a world can't run.
  func refuse(_ problem: String)
}

/// The world that code runs in.
package enum SchedulingScope {
  /// A world, and the task that entered it.
  package struct Frame: Sendable {
    package let backend: any SchedulerBackend
    /// The identity of the task, which lives as long as it's in the world; `nil` if it was entered
    /// outside a task.
    package let task: Int?
  }

  /// The innermost world that was entered here. Child tasks and `Task { }` inherit it.
  @TaskLocal package static var frame: Frame?

  // An atomic, because it's read for each scheduled action: a program without worlds takes no lock.
  private static let livingWorlds = Atomic<Int>(0)
  private static let soleBackend = Locked<(any SchedulerBackend)?>(nil)
  private static let owner = DispatchSpecificKey<QueueOwner>()

  /// The world of the code that calls this; `nil` if there is none.
  package static var backend: (any SchedulerBackend)? {
    guard livingWorlds.load(ordering: .sequentiallyConsistent) > 0 else { return nil }
    let backend = frame?.backend ?? backendOfCurrentQueue ?? soleBackend.withLock { $0 }
    return backend.flatMap { $0.hasEnded ? nil : $0 }
  }

  /// Whether there are worlds at all.
  package static var hasLivingWorlds: Bool {
    livingWorlds.load(ordering: .sequentiallyConsistent) > 0
  }

  /// The world of tasks that the calling code starts or resumes; `nil` if there is none. It may
  /// have ended.
  package static var backendOfTasks: (any SchedulerBackend)? {
    frame?.backend ?? ThreadMark.current ?? backendOfCurrentQueue
      ?? soleBackend.withLock { $0 }
  }

  /// Reports a span of NaN seconds to the world. Without one, this ends the program.
  static func refuseNaN() {
    let problem = "NaN isn't a span of time: pass a number"
    guard let backend else { preconditionFailure(problem) }
    backend.refuse(problem)
  }

  /// The world that the current dispatch queue belongs to.
  package static var backendOfCurrentQueue: (any SchedulerBackend)? {
    DispatchQueue.getSpecific(key: owner)?.backend
  }

  /// Counts a world as living. From now on, schedulers look for their world.
  package static func begin() {
    MainQueueMark.set()
    livingWorlds.add(1, ordering: .sequentiallyConsistent)
  }

  /// Counts a world as ended.
  package static func end() { livingWorlds.subtract(1, ordering: .sequentiallyConsistent) }

  /// Makes a world the one of all code in the process, also of threads that don't know it.
  package static func setSoleBackend(_ backend: (any SchedulerBackend)?) {
    // Released outside the lock.
    _ = soleBackend.withLock { sole in
      defer { sole = backend }
      return sole
    }
  }

  /// Whether a world is the one of all code in the process.
  package static func isSole(_ backend: any SchedulerBackend) -> Bool {
    soleBackend.withLock { $0 === backend }
  }

  /// Runs a body on a thread that only the one world of the process uses.
  package static func usingThread<Result>(_ body: () throws -> Result) rethrows -> Result {
    try ThreadMark.with(soleBackend.withLock { $0 }, body)
  }

  /// Runs a body in a world.
  package static func enter<Result>(
    _ backend: any SchedulerBackend, _ body: () throws -> Result
  ) rethrows -> Result {
    try ThreadMark.with(backend) {
      try $frame.withValue(Frame(backend: backend, task: currentTask), operation: body)
    }
  }

  /// Runs an asynchronous body in a world.
  package static func enter<Result>(
    _ backend: any SchedulerBackend, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $frame.withValue(Frame(backend: backend, task: currentTask), operation: body)
  }

  /// The identity of the current task while it lives; `nil` outside a task.
  ///
  /// It's an address, and later tasks often get the address of one that has ended.
  package static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// The identity of the current task, which no other task ever gets; `nil` outside a task. It
  /// costs more than ``currentTask``.
  ///
  /// Swift shows a task's number only in the description of its job, and has no way from a task to
  /// its job. But each of the two structs holds just a pointer, and in Swift's runtime a task is a
  /// job. If that changes, the cast traps, or `SchedulingScopeTests` fail. Without numbers, a world
  /// would sometimes overlook an event that came from outside.
  package static var currentTaskName: String? {
    withUnsafeCurrentTask { task in
      task.map { unsafeBitCast($0, to: UnownedJob.self).description }
    }
  }

  // MARK: Queues that belong to a world

  /// Lets blocks of a queue find a world, even those that were sent with `async`.
  ///
  /// - Returns: Whether the queue is free: it doesn't belong to another living world.
  package static func adopt(_ queue: DispatchQueue, for backend: any SchedulerBackend) -> Bool {
    queues.withLock { _ in
      // A queue gets its mark once, because replacing it would release it under its readers.
      if let former = queue.getSpecific(key: owner) { return former.change(to: backend) }
      queue.setSpecific(key: owner, value: QueueOwner(backend))
      return true
    }
  }

  // Guards only that two threads don't mark a queue at once.
  private static let queues = Locked(())
}

/// The mark of a queue that belongs to a world.
private final class QueueOwner: Sendable {
  private struct WeakBackend {
    weak var backend: (any SchedulerBackend)?
  }

  private let state: Locked<WeakBackend>

  init(_ backend: any SchedulerBackend) { state = Locked(WeakBackend(backend: backend)) }

  var backend: (any SchedulerBackend)? { state.withLock { $0.backend } }

  /// - Returns: Whether the queue was free.
  func change(to backend: any SchedulerBackend) -> Bool {
    state.withLock { state in
      if let former = state.backend, former !== backend, !former.hasEnded { return false }
      state.backend = backend
      return true
    }
  }
}
