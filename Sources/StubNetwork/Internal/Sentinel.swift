import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task that never starts, to wait for the work of all sessions of the process at once.
///
/// Each task has a serial work queue. Its target is the work queue of its session, and the target
/// of all these is one serial queue of the process. That queue takes the queues with work in the
/// order in which they got it, and finishes one before it takes the next. So a synchronous hop
/// through the sentinel's own work queue comes after everything that any session has queued before.
///
/// One hop may not be enough if that work queues more. The longest chain in Foundation has two
/// links. A task's work queue sends to its session's, to take an ended task off the session's list,
/// and that may add the callback which tells the delegate of an invalidated session. All other
/// blocks call a protocol or add a callback at once. So there are two hops.
final class Sentinel: Sendable {
  static let shared = Sentinel()
  private static let longestChain = 2

  // The session is kept, because a task doesn't promise to keep its session.
  private let session: URLSession
  private let task: URLSessionDataTask

  private init() {
    session = URLSession(configuration: .ephemeral)
    // Never requested. Only its work queue is of use.
    task = session.dataTask(with: URL(fileURLWithPath: "/"))
  }

  /// Waits until the work queues of all sessions have finished what they had to do.
  func waitForWorkQueues() {
    for _ in 0..<Self.longestChain { _ = task.priority }
  }
}
