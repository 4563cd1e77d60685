import Foundation
import Streams

/// The delegate queue of a network's sessions: it keeps what is added until the driver runs it.
/// Real sessions of a scenario use it too.
///
/// Each block is a letter with an origin: the birth number of the task it comes from. Letters that
/// arrive from different tasks between two looks at the mailbox arrive in any order; the driver
/// takes them in the order of their origins, which is always the same.
///
/// After ``close()`` it is a plain serial queue: sessions may still have to say that they ended.
///
/// `@unchecked` says again what OperationQueue says: what is added here is behind a lock.
package final class Mailbox: OperationQueue, @unchecked Sendable {
  package struct Letter {
    let origin: Int
    package let block: @Sendable () -> Void
  }

  private struct State {
    var letters: [Letter] = []
    var originOfWorkQueue = 0
    var originOfDriver: (thread: pthread_t, birth: Int)?
    var isClosed = false
  }

  private let state = Locked(State())
  private let onArrival: @Sendable () -> Void

  /// - Parameter onArrival: Called after each letter that is kept, on the thread that sent it.
  package init(onArrival: @escaping @Sendable () -> Void = {}) {
    self.onArrival = onArrival
    super.init()
    maxConcurrentOperationCount = 1
  }

  /// All letters, by origin; letters of one origin in the order they came.
  package func takeAll() -> [Letter] {
    let letters = state.withLock { state in
      defer { state.letters = [] }
      return state.letters
    }
    // Sorting is stable today, but does not promise it: ties are broken by place.
    return letters.enumerated()
      .sorted { ($0.element.origin, $0.offset) < ($1.element.origin, $1.offset) }
      .map(\.element)
  }

  /// Says whose letters arrive from the work queues, from now on.
  ///
  /// A work queue calls this from `stopLoading`, and adds the letter that reports the cancellation
  /// right behind: the work queues of a process take turns, so that no other can come between.
  func noteWorkQueue(of birth: Int) {
    state.withLock { $0.originOfWorkQueue = birth }
  }

  /// Says whose letters arrive from the calling thread while the body runs.
  func withOrigin(_ birth: Int, _ body: () -> Void) {
    let thread = pthread_self()
    let outer = state.withLock { state in
      defer { state.originOfDriver = (thread, birth) }
      return state.originOfDriver
    }
    body()
    state.withLock { $0.originOfDriver = outer }
  }

  package func close() { state.withLock { $0.isClosed = true } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  package override func addOperation(_ block: @escaping @Sendable () -> Void) {
    if !keep(block) { super.addOperation(block) }
  }

  package override func addOperation(_ op: Operation) {
    if !keep({ op.start() }) { super.addOperation(op) }
  }

  package override func addOperations(_ ops: [Operation], waitUntilFinished wait: Bool) {
    for op in ops { addOperation(op) }
    // Before the end, waiting would wait for the thread that waits.
    if wait, isClosed { for op in ops { op.waitUntilFinished() } }
  }

  package override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) {
    // Letters run one at a time: that is barrier enough.
    addOperation(barrier)
  }

  private func keep(_ block: @escaping @Sendable () -> Void) -> Bool {
    let isKept = state.withLock { state in
      guard !state.isClosed else { return false }
      var origin = state.originOfWorkQueue
      if let driver = state.originOfDriver, pthread_equal(driver.thread, pthread_self()) != 0 {
        origin = driver.birth
      }
      state.letters.append(Letter(origin: origin, block: block))
      return true
    }
    if isKept { onArrival() }
    return isKept
  }
}
