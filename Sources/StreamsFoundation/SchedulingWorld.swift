import Dispatch
import Foundation
import Streams
import Synchronization

/// The place where this module's schedulers send work instead of running it on their own.
///
/// In a world, whatever code gives to a scheduler waits for the world's clock, and then runs on its
/// own queue, one thing at a time. `DispatchQueue`, `RunLoop` and `OperationQueue` ask
/// ``SchedulingScope/world`` for the world of the code that calls them. Outside a world, they work
/// as usual.
package protocol SchedulingWorld: AnyObject, Sendable {
  /// The nanoseconds since the world began.
  var now: Int64 { get }

  /// Whether the world is over, so that schedulers work as usual again.
  var hasEnded: Bool { get }

  /// Runs an action when the clock reaches a date.
  func schedule(after date: Int64, _ action: @escaping () -> Void)

  /// Runs an action when the clock reaches a date, and after each interval.
  ///
  /// - Returns: Cancelling or releasing it ends the repeats.
  func schedule(
    after date: Int64, interval: Int64, _ action: @escaping () -> Void
  ) -> any Cancellable

  /// Runs an action on its queue, at the present instant, after all work that was sent before.
  func send(_ hop: Hop)

  /// Reports work that a world can't run.
  func refuse(_ problem: String)
}

/// The world that code runs in.
package enum SchedulingScope {
  /// A world, and the task that entered it.
  package struct Frame: Sendable {
    package let world: any SchedulingWorld
    /// The identity of the task, which lives as long as it's in the world; `nil` if it was entered
    /// outside a task.
    package let task: Int?
  }

  /// The innermost world that was entered here. Child tasks and `Task { }` inherit it.
  @TaskLocal package static var frame: Frame?

  // An atomic, because it's read for each scheduled action: a program without worlds takes no lock.
  private static let livingWorlds = Atomic<Int>(0)
  private static let soleWorld = Locked<(any SchedulingWorld)?>(nil)
  private static let owner = DispatchSpecificKey<QueueOwner>()

  /// The world of the code that calls this; `nil` if there is none.
  package static var world: (any SchedulingWorld)? {
    guard livingWorlds.load(ordering: .sequentiallyConsistent) > 0 else { return nil }
    let world =
      frame?.world ?? worldOfCurrentQueue ?? soleWorld.withLock { $0 }
    return world.flatMap { $0.hasEnded ? nil : $0 }
  }

  /// The world that the current dispatch queue belongs to.
  package static var worldOfCurrentQueue: (any SchedulingWorld)? {
    DispatchQueue.getSpecific(key: owner)?.world
  }

  /// Counts a world as living. From now on, schedulers look for their world.
  package static func begin() {
    MainQueueMark.set()
    livingWorlds.add(1, ordering: .sequentiallyConsistent)
  }

  /// Counts a world as ended.
  package static func end() { livingWorlds.subtract(1, ordering: .sequentiallyConsistent) }

  /// Makes a world the one of all code in the process, also of threads that don't know it.
  package static func setSoleWorld(_ world: (any SchedulingWorld)?) {
    // Released outside the lock.
    _ = soleWorld.withLock { sole in
      defer { sole = world }
      return sole
    }
  }

  /// Runs a body in a world.
  package static func enter<Result>(
    _ world: any SchedulingWorld, _ body: () throws -> Result
  ) rethrows -> Result {
    try $frame.withValue(Frame(world: world, task: currentTask), operation: body)
  }

  /// Runs an asynchronous body in a world.
  package static func enter<Result>(
    _ world: any SchedulingWorld, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $frame.withValue(Frame(world: world, task: currentTask), operation: body)
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
  package static func adopt(_ queue: DispatchQueue, for world: any SchedulingWorld) -> Bool {
    queues.withLock { _ in
      // A queue gets its mark once, because replacing it would release it under its readers.
      if let former = queue.getSpecific(key: owner) { return former.change(to: world) }
      queue.setSpecific(key: owner, value: QueueOwner(world))
      return true
    }
  }

  // Guards only that two threads don't mark a queue at once.
  private static let queues = Locked(())
}

/// The mark of a queue that belongs to a world.
private final class QueueOwner: Sendable {
  private struct WeakWorld {
    weak var world: (any SchedulingWorld)?
  }

  private let state: Locked<WeakWorld>

  init(_ world: any SchedulingWorld) { state = Locked(WeakWorld(world: world)) }

  var world: (any SchedulingWorld)? { state.withLock { $0.world } }

  /// - Returns: Whether the queue was free.
  func change(to world: any SchedulingWorld) -> Bool {
    state.withLock { state in
      if let former = state.world, former !== world, !former.hasEnded { return false }
      state.world = world
      return true
    }
  }
}
