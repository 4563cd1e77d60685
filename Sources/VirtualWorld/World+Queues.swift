import Foundation
import StreamsFoundation
import StubNetwork

extension World {
  /// Attaches a queue, for code that calls `async` on it itself.
  ///
  /// Blocks that were sent to the queue finish before the clock moves on, and schedulers that they
  /// use belong to this world. They start at once, so the order between them and the code that sent
  /// them is open. If you can, use the queue as a scheduler instead: `queue.schedule { }`.
  ///
  /// - Parameter queue: A queue that belongs to this test alone. You can't attach the main queue or
  ///   a global queue.
  public func attach(_ queue: DispatchQueue) {
    guard !MainQueueMark.isOn(queue) else {
      return onFailure(
        "the main queue can't be attached to a world: send work there with schedule or receive(on:)"
      )
    }
    // Dispatch tells a global queue only by its label.
    guard !queue.label.hasPrefix("com.apple.root.") else {
      return onFailure(
        "a global queue can't be attached to a world, because all code shares it: make a queue of "
          + "your own")
    }
    guard SchedulingScope.adopt(queue, for: backend) else {
      return onFailure(
        "the queue \"\(queue.label)\" is attached to another world: use one queue for each test")
    }
    network.fence(queue)
  }

  /// Attaches an operation queue, for code that adds operations itself.
  ///
  /// Operations finish before the clock moves on. They start at once, so the order between them and
  /// the code that added them is open.
  ///
  /// - Parameter queue: A queue that belongs to this test alone. It must not be suspended.
  public func attach(_ queue: OperationQueue) {
    guard queue !== OperationQueue.main else {
      return onFailure(
        "the main queue can't be attached to a world: send work there with schedule or receive(on:)"
      )
    }
    backend.add(queue)
    network.fence(queue)
  }
}
