import Foundation
import Streams
import Synchronization

/// The operations that wait for their moment, for all queues.
///
/// They aren't in their queues yet. After each change, Foundation on Linux looks at all operations
/// of a queue up to the first one that can run, so a thousand that wait there would be looked at
/// some thousand times each. Instead, a queue has one operation that stands in for all of them:
///
/// - It can't run as long as one of them waits. So `waitUntilAllOperationsAreFinished()` waits for
///   all of them.
/// - Cancelling it cancels all of them, and so does `cancelAllOperations()`.
/// - It has its turn when the last one has been added to the queue or was cancelled. Then it does
///   nothing and is done. The next operation that waits gets a new one.
///
/// Any thread may call this. Nothing is called under the lock.
enum DelayedOperations {
  private struct Room {
    let standIn: StandIn
    var waiting: [ObjectIdentifier: DelayedOperation] = [:]
  }

  /// The rooms that aren't empty. A queue stays alive as long as it has an operation, so no other
  /// queue can have its identifier.
  private static let rooms = Locked<[ObjectIdentifier: Room]>([:])

  /// Lets an operation wait. It's the caller's task to remove it.
  static func insert(_ operation: DelayedOperation, of queue: OperationQueue) {
    let newStandIn = rooms.withLock { rooms -> StandIn? in
      let isFirst = rooms[ObjectIdentifier(queue)] == nil
      var room = rooms[ObjectIdentifier(queue)] ?? Room(standIn: StandIn(of: queue))
      rooms[ObjectIdentifier(queue)] = nil
      room.waiting[ObjectIdentifier(operation)] = operation
      rooms[ObjectIdentifier(queue)] = room
      return isFirst ? room.standIn : nil
    }
    newStandIn?.takePlace()
  }

  /// Removes an operation, if it's still waiting.
  static func remove(_ operation: DelayedOperation, of queue: OperationQueue) {
    let (_, standIn) = rooms.withLock { rooms -> (DelayedOperation?, StandIn?) in
      let queue = ObjectIdentifier(queue)
      let removed = rooms[queue]?.waiting.removeValue(forKey: ObjectIdentifier(operation))
      guard let room = rooms[queue], room.waiting.isEmpty else { return (removed, nil) }
      rooms[queue] = nil
      return (removed, room.standIn)
    }
    standIn?.letRun()
  }

  /// Removes all operations that a stand-in stands for.
  private static func removeAll(of standIn: StandIn) -> [DelayedOperation] {
    rooms.withLock { rooms in
      let queue = ObjectIdentifier(standIn.queue)
      guard let room = rooms[queue], room.standIn === standIn else { return [] }
      rooms[queue] = nil
      return Array(room.waiting.values)
    }
  }

  /// The operation that stands in its queue for all that wait.
  ///
  /// A queue on Linux checks `isReady` when the operation is added and when a change of `isReady`
  /// is announced. A change announced while the operation is being added is lost. So it's announced
  /// once more then.
  ///
  /// `@unchecked`: it has no mutable state besides an atomic.
  private final class StandIn: Operation, Cancellable, @unchecked Sendable {
    let queue: OperationQueue
    private let canRun = Atomic(false)

    init(of queue: OperationQueue) { self.queue = queue }

    override var isReady: Bool {
      (canRun.load(ordering: .sequentiallyConsistent) || isCancelled) && super.isReady
    }

    override func cancel() {
      super.cancel()
      for operation in DelayedOperations.removeAll(of: self) { operation.cancel() }
    }

    func takePlace() {
      queue.addOperation(self)
      if canRun.load(ordering: .sequentiallyConsistent) { announce() }
    }

    func letRun() {
      canRun.store(true, ordering: .sequentiallyConsistent)
      announce()
    }

    private func announce() {
      willChangeValue(for: \.isReady)
      didChangeValue(for: \.isReady)
    }
  }
}
