import Foundation
import Streams

/// Runs a closure on a thread of its own and waits for its end.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  onThreads(1) { _ in body() }
}

/// Runs a closure on several threads at once, each told its index, and waits for all to end.
///
/// The closure is released when this returns, so that a test can see what it has kept go.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  // A thread releases what it was started with at its leisure: it is not started with the closure.
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
