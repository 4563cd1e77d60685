import Foundation
import Streams
import StreamsFoundation

/// Which world each task belongs to.
///
/// A task belongs to the world of the code that starts it, and keeps it: whatever resumes it, that
/// world runs it. A task that was there before the world stays outside.
enum TaskOwners {
  private struct Owner {
    /// Another task may get the address of one that has ended.
    let task: String
    /// The world; `nil` for none.
    weak var world: WorldBackend?
  }

  // By address, because a look at the task's number costs more.
  private static let owners = Locked<[UInt: Owner]>([:])

  /// Whether there's a world that could have tasks.
  static var areAsked: Bool { SchedulingScope.hasLivingWorlds }

  /// Gives a part of a task to its world.
  ///
  /// - Returns: Whether it has one.
  static func take(_ part: TaskPart) -> Bool {
    guard let world = world(of: part) else { return false }
    world.tasks.take(part)
    return true
  }

  /// Lets the current task sleep in its world.
  ///
  /// - Parameters:
  ///   - part: The part that wakes it.
  ///   - rest: How long it sleeps from now on the wall clock.
  /// - Returns: Whether it has a world.
  static func sleep(_ part: TaskPart, rest: Duration) -> Bool {
    guard let sleeper = SchedulingScope.currentTaskName, let world = world(of: part) else {
      return false
    }
    world.tasks.sleep(part, sleeper: sleeper, rest: rest)
    return true
  }

  /// The world of the current task; `nil` if it isn't known to have one.
  static var worldOfCurrentTask: World? {
    guard let address = currentAddress, let task = SchedulingScope.currentTaskName,
      let owner = owners.withLock({ $0[address] }), owner.task == task
    else { return nil }
    return owner.world?.world
  }

  /// Leaves the current task out of all worlds, whatever resumes it, until the body returns.
  static func leavingOut<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let address = currentAddress, let task = SchedulingScope.currentTaskName else {
      return try await body()
    }
    let outer = owners.withLock { owners in
      defer { owners[address] = Owner(task: task, world: nil) }
      return owners[address]
    }
    defer { owners.withLock { $0[address] = outer } }
    return try await body()
  }

  /// Forgets the tasks of a world that ends. If it was the one world of a program, those that go on
  /// are still known, so the next one doesn't take them for its own.
  static func end(_ world: WorldBackend) {
    if SchedulingScope.isSole(world) { return }
    owners.withLock { owners in
      owners = owners.filter { $0.value.world !== world && !($0.value.world?.hasEnded ?? false) }
    }
  }

  /// The ``TaskPart/address`` of the current task.
  private static var currentAddress: UInt? {
    withUnsafeCurrentTask { task in task.map { unsafeBitCast($0, to: UInt.self) } }
  }

  private static func world(of part: TaskPart) -> WorldBackend? {
    let (here, isSaid) = worldOfCaller
    guard part.isOfTask else { return here.flatMap { $0.tasks.areInside ? $0 : nil } }
    let address = part.address
    if let owner = owners.withLock({ $0[address] }), owner.task == part.task {
      guard let world = owner.world, world.tasks.areInside else { return nil }
      if let here, here !== world { world.tasks.noteMixture(part, with: here) }
      return world
    }
    guard here?.tasks.areInside ?? isSaid else { return nil }
    // What the world resumes may be a task that was there before.
    let world = here.flatMap { $0.tasks.wasBefore(part) ? nil : $0 }
    owners.withLock { $0[address] = Owner(task: part.task, world: world) }
    return world
  }

  /// The world of the code that starts or resumes a task, and whether that's said of it, so that
  /// `nil` means none.
  private static var worldOfCaller: (WorldBackend?, isSaid: Bool) {
    if let forced = ThreadMark.forced { return (forced as? WorldBackend, true) }
    // A task that hasn't entered the frame itself has inherited it, and may have been left out.
    let hasEntered = SchedulingScope.frame.map { $0.task == SchedulingScope.currentTask } ?? false
    if !hasEntered, let address = currentAddress,
      let owner = owners.withLock({ $0[address] }), owner.task == SchedulingScope.currentTaskName
    {
      return (owner.world, owner.world == nil)
    }
    return (SchedulingScope.backendOfTasks as? WorldBackend, false)
  }
}
