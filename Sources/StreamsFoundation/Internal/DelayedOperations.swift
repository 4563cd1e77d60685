import Foundation
import Streams

/// The operations that wait for their moment, for all queues.
///
/// The first ones wait in their queue, so a barrier waits for them and nothing else. But after each
/// change, Foundation on Linux looks at all operations of a queue up to the first one that can run,
/// so a thousand that wait there would be looked at some thousand times each. That's why the others
/// wait in a room, and the queue has one operation that stands in for all of a room:
///
/// - It can't run as long as one of them waits. So `waitUntilAllOperationsAreFinished()` waits for
///   all of them.
/// - Cancelling it cancels all of them, and so does `cancelAllOperations()`.
/// - It has its turn when the last one has been added to the queue or was cancelled. Then it does
///   nothing and is done.
///
/// A barrier waits for the stand-in. An operation that leaves the room later is behind the barrier.
/// A room takes no more once one of them has left for the queue or many have come, so that the
/// barrier has its turn even if there's always work that waits.
///
/// Any thread may call this. Nothing is called under the lock.
enum DelayedOperations {
  /// How many wait in a queue itself.
  static let placesInQueue = 64

  /// How many come into a room.
  static let placesInRoom = 1000

  /// The queues that have an operation that waits. Such a queue stays alive, so no other queue can
  /// have its identifier.
  private static let lists = Locked<[ObjectIdentifier: List]>([:])

  /// Lets an operation wait. It's the caller's task to remove it.
  ///
  /// - Returns: Whether it waits in its queue. If not, the caller adds it when its moment comes.
  static func insert(_ operation: DelayedOperation) -> Bool {
    let place = lists.withLock { lists in
      lists[ObjectIdentifier(operation.queue), default: List()].insert(operation)
    }
    switch place {
    case .queue: operation.enterQueue()
    case .newRoom(let standIn): standIn.enterQueue()
    case .room: break
    }
    if case .queue = place { return true }
    return false
  }

  /// Lets no more operations into the room of one that's about to leave for its queue.
  static func closeRoom(of operation: DelayedOperation) {
    change(operation.queue) { $0.closeRoom(of: operation) }
  }

  /// Removes an operation, if it's still waiting.
  static func remove(_ operation: DelayedOperation) {
    let standIn = change(operation.queue) { $0.remove(operation) }
    standIn?.letRun()
  }

  /// Changes the list of a queue, if there's one.
  @discardableResult
  private static func change<Result>(
    _ queue: OperationQueue, _ body: (inout List) -> Result?
  ) -> Result? {
    lists.withLock { lists in
      guard let index = lists.index(forKey: ObjectIdentifier(queue)) else { return nil }
      defer { if lists.values[index].isEmpty { lists.remove(at: index) } }
      return body(&lists.values[index])
    }
  }

  private enum Place {
    case queue
    case room
    /// The caller adds its stand-in to the queue.
    case newRoom(StandIn)
  }

  /// The operations of one queue that wait.
  private struct List {
    private var inQueue: Set<ObjectIdentifier> = []
    private var rooms: [ObjectIdentifier: StandIn] = [:]
    private var openRoom: StandIn?

    /// An open room isn't empty.
    var isEmpty: Bool { inQueue.isEmpty && rooms.isEmpty }

    mutating func insert(_ operation: DelayedOperation) -> Place {
      let name = ObjectIdentifier(operation)
      if inQueue.count < placesInQueue {
        inQueue.insert(name)
        return .queue
      }
      let isNew = openRoom == nil
      let standIn = openRoom ?? StandIn(of: operation.queue)
      standIn.waiting[name] = operation
      standIn.count += 1
      rooms[name] = standIn
      openRoom = standIn.count < placesInRoom ? standIn : nil
      return isNew ? .newRoom(standIn) : .room
    }

    mutating func closeRoom(of operation: DelayedOperation) {
      if let standIn = rooms[ObjectIdentifier(operation)] { close(standIn) }
    }

    /// - Returns: The stand-in that has none left to wait for.
    mutating func remove(_ operation: DelayedOperation) -> StandIn? {
      let name = ObjectIdentifier(operation)
      if inQueue.remove(name) != nil { return nil }
      guard let standIn = rooms.removeValue(forKey: name) else { return nil }
      standIn.waiting[name] = nil
      guard standIn.waiting.isEmpty else { return nil }
      close(standIn)
      return standIn
    }

    mutating func removeAll(of standIn: StandIn) -> [DelayedOperation] {
      close(standIn)
      for name in standIn.waiting.keys { rooms[name] = nil }
      defer { standIn.waiting = [:] }
      return Array(standIn.waiting.values)
    }

    private mutating func close(_ standIn: StandIn) {
      if openRoom === standIn { openRoom = nil }
    }
  }

  /// The operation that stands in its queue for all those in its room.
  ///
  /// `@unchecked`: the lock of the lists guards the variables.
  private final class StandIn: WaitingOperation, Cancellable, @unchecked Sendable {
    /// The operations in its room.
    var waiting: [ObjectIdentifier: DelayedOperation] = [:]

    /// How many have come into its room.
    var count = 0

    override func cancel() {
      super.cancel()
      let operations = DelayedOperations.change(queue) { $0.removeAll(of: self) }
      for operation in operations ?? [] { operation.cancel() }
    }
  }
}
