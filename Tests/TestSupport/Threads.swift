import Foundation
import Streams

/// Runs a closure on a new thread and waits until it returns.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  onThreads(1) { _ in body() }
}

/// Runs a closure on several threads at once, with the index of the thread, and waits for all of
/// them.
///
/// The closure is released when this returns, so a test can check that its captured objects are
/// too.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  // A thread may release its start closure late. So that closure doesn't capture `body` directly.
  let work = Locked<(@Sendable (Int) -> Void)?>(body)
  let ended = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      work.withLock { $0 }?(index)
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
  _ = work.withLock { $0.take() }
}
