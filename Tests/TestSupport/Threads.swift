import Foundation

/// Runs a closure on a thread of its own and waits for its end.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  onThreads(1) { _ in body() }
}

/// Runs a closure on several threads at once, each told its index, and waits for all to end.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      body(index)
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
}
