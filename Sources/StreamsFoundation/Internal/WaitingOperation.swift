import Foundation
import Synchronization

/// An operation that can't run until it's let run or cancelled.
///
/// A queue on Linux checks `isReady` when the operation is added and when a change of `isReady` is
/// announced. A change announced while the operation is being added is lost. So it's announced once
/// more then.
///
/// `@unchecked`: it has no mutable state besides an atomic.
class WaitingOperation: Operation, @unchecked Sendable {
  /// The queue that it runs on.
  final let queue: OperationQueue
  private let canRun = Atomic(false)

  init(of queue: OperationQueue) { self.queue = queue }

  override var isReady: Bool {
    (canRun.load(ordering: .sequentiallyConsistent) || isCancelled) && super.isReady
  }

  /// Adds it to its queue.
  final func enterQueue() {
    let wasReady = isReady
    queue.addOperation(self)
    if !wasReady, isReady { announce() }
  }

  /// Lets it run, before or after it's added to its queue.
  final func letRun() {
    canRun.store(true, ordering: .sequentiallyConsistent)
    announce()
  }

  private func announce() {
    willChangeValue(for: \.isReady)
    didChangeValue(for: \.isReady)
  }
}
