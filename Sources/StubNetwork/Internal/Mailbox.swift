import Foundation
import Streams

/// The delegate queue of a network's sessions. It keeps their callbacks until the driver runs them.
///
/// Each callback has an origin: the number of the task it comes from. Callbacks of different tasks
/// can arrive in any order between two calls of ``takeAll()``. The driver runs them in the order of
/// their origins, which is always the same.
///
/// After ``close()`` this is a plain serial queue, because sessions may still have to report that
/// they ended.
///
/// `@unchecked` repeats what `OperationQueue` declares. The state added here is behind a lock.
final class Mailbox: OperationQueue, @unchecked Sendable {
  /// A callback that waits to be run.
  struct Callback {
    /// The number of the task it comes from.
    let origin: Int
    let block: @Sendable () -> Void
  }

  private struct State {
    var callbacks: [Callback] = []
    var originOfWorkQueue = 0
    var originOfDriver: (thread: pthread_t, taskNumber: Int)?
    var isClosed = false
  }

  private let state = Locked(State())

  override init() {
    super.init()
    maxConcurrentOperationCount = 1
  }

  /// Removes and returns all callbacks, sorted by origin. Those of one origin keep their order.
  func takeAll() -> [Callback] {
    let callbacks = state.withLock { state in
      defer { state.callbacks = [] }
      return state.callbacks
    }
    // Sorting is stable today, but that isn't documented, so the offset breaks ties.
    return callbacks.enumerated()
      .sorted { ($0.element.origin, $0.offset) < ($1.element.origin, $1.offset) }
      .map(\.element)
  }

  /// Whether no callback waits.
  var isEmpty: Bool { state.withLock { $0.callbacks.isEmpty } }

  /// Sets the origin of callbacks that work queues add from now on.
  ///
  /// A work queue calls this from `stopLoading`, and adds the callback that reports the
  /// cancellation right after it. No other work queue can come in between, because those of a
  /// process take turns.
  func noteWorkQueue(of taskNumber: Int) {
    state.withLock { $0.originOfWorkQueue = taskNumber }
  }

  /// Sets the origin of callbacks that the calling thread adds while the body runs.
  func withOrigin(_ taskNumber: Int, _ body: () -> Void) {
    let thread = pthread_self()
    let outer = state.withLock { state in
      defer { state.originOfDriver = (thread, taskNumber) }
      return state.originOfDriver
    }
    body()
    state.withLock { $0.originOfDriver = outer }
  }

  /// Stops keeping callbacks: from now on, they run as on any serial queue.
  func close() {
    // Callbacks that come meanwhile are kept too, so that none overtakes another.
    while true {
      let callbacks = state.withLock { state in
        defer { state.callbacks = [] }
        state.isClosed = state.callbacks.isEmpty
        return state.callbacks
      }
      if callbacks.isEmpty { return }
      for callback in callbacks { super.addOperation(callback.block) }
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    if !keep(block) { super.addOperation(block) }
  }

  override func addOperation(_ op: Operation) {
    if !keep({ op.start() }) { super.addOperation(op) }
  }

  override func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool) {
    for op in ops { addOperation(op) }
    // While the mailbox is open, waiting would deadlock: the waiting thread is the one that runs
    // the operations.
    if wait, isClosed { for op in ops { op.waitUntilFinished() } }
  }

  override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
    // Callbacks run one at a time anyway, so each one is a barrier.
    addOperation(barrier)
  }

  private func keep(_ block: @escaping @Sendable () -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      var origin = state.originOfWorkQueue
      if let driver = state.originOfDriver, pthread_equal(driver.thread, pthread_self()) != 0 {
        origin = driver.taskNumber
      }
      state.callbacks.append(Callback(origin: origin, block: block))
      return true
    }
  }
}
