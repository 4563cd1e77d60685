import Dispatch
import Foundation
import Streams
import Synchronization

/// The blocks of the main queue that this module knows about.
///
/// Dispatch doesn't tell whether its main queue holds blocks. So this counts the ones that come
/// from our schedulers, from `async` in a scenario, and from operations of the main operation
/// queue. As long as any of them wait or run, ``serve()`` asks for another turn.
///
/// Other blocks run as well, because they're ahead of a block that ``serve()`` itself sends. But
/// if such a block sends another one, and that one sends a third, the third may run an instant
/// later: nothing tells that it waits.
enum MainQueue {
  private struct Count: Equatable {
    var waiting = 0
    var done = 0
    /// Operations of the main operation queue. Each of them sends the next one to the main queue.
    var operations = 0
  }

  private static let count = Locked(Count())

  /// A block that ``serve()`` sends behind all others.
  private final class Mark: Sendable {
    let isReached = Atomic(false)
  }

  /// Sends a block to the main queue, and counts it.
  static func send(_ block: @escaping @Sendable () -> Void) {
    count.withLock { $0.waiting += 1 }
    sendUncounted {
      block()
      count.withLock { count in
        count.waiting -= 1
        count.done += 1
      }
    }
  }

  /// Runs the blocks of the main queue and of the main run loop. Call it on the main thread.
  ///
  /// - Returns: Whether blocks ran or still wait, as far as they're counted. They may have sent
  ///   more.
  static func serve() -> Bool {
    let before = current
    // Twice, so that one block may send another one without being counted.
    for _ in 0..<2 {
      let mark = Mark()
      sendUncounted { mark.isReached.store(true, ordering: .relaxed) }
      while !mark.isReached.load(ordering: .relaxed) {
        _ = RunLoop.main.run(mode: .default, before: .distantPast)
      }
    }
    let after = current
    return after != before || after.waiting > 0
  }

  private static var current: Count {
    count.withLock { count in
      count.operations = OperationQueue.main.operationCount
      return count
    }
  }

  private static func sendUncounted(_ block: @escaping @Sendable () -> Void) {
    // With a group, this is Dispatch's own function, and not the one for scenarios.
    DispatchQueue.main.async(group: nil, execute: block)
  }
}
