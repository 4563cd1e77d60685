import Dispatch
import Foundation

/// An action on its way to its queue, in a world.
package struct QueuedAction {
  /// The place where the action runs.
  package enum Place {
    case mainQueue
    case mainRunLoop
    case mainOperations
    case queue(DispatchQueue)
    case operations(OperationQueue)
  }

  package let place: Place
  private let options: DispatchQueue.SchedulerOptions?
  private let action: () -> Void

  init(
    to place: Place, options: DispatchQueue.SchedulerOptions? = nil, _ action: @escaping () -> Void
  ) {
    self.place = place
    self.options = options
    self.action = action
    options?.group?.enter()
  }

  /// Whether the action runs on the main thread.
  package var isMain: Bool {
    switch place {
    case .mainQueue, .mainRunLoop, .mainOperations: true
    case .queue, .operations: false
    }
  }

  /// The name of the queue for people, the same in every run.
  package var label: String {
    switch place {
    case .mainQueue, .mainRunLoop, .mainOperations: "main"
    case .queue(let queue): queue.label
    case .operations(let queue): queue.nameInEveryRun
    }
  }

  /// Runs the action here. The caller is on the right queue.
  package func run() {
    action()
    options?.group?.leave()
  }

  /// Gives the action up. A group that nothing leaves would wait forever.
  package func drop() { options?.group?.leave() }

  /// Sends the action to its queue, which isn't the main queue.
  ///
  /// - Parameter entering: Called on the queue, and runs the action that it gets.
  /// - Returns: A signal for the end of the action.
  package func send(
    entering: @escaping @Sendable (_ run: () -> Void) -> Void
  ) -> DispatchSemaphore {
    let isDone = DispatchSemaphore(value: 0)
    // Passed once, to the one thread that runs it.
    nonisolated(unsafe) let queued = self
    let run: @Sendable () -> Void = { entering { queued.run() } }
    switch place {
    case .queue(let queue):
      let options = options ?? DispatchQueue.SchedulerOptions()
      let block = DispatchWorkItem(qos: options.qos, flags: options.flags) {
        run()
        isDone.signal()
      }
      queue.async(execute: block)
    case .operations(let queue):
      let operation = BlockOperation(block: run)
      operation.completionBlock = { isDone.signal() }
      queue.addOperation(operation)
    case .mainQueue, .mainRunLoop, .mainOperations:
      preconditionFailure("an action for the main thread isn't sent to a queue of its own")
    }
    return isDone
  }
}

extension OperationQueue {
  /// A name that is the same in every run. Foundation's default name contains an address.
  fileprivate var nameInEveryRun: String {
    guard let name, !name.hasPrefix("NSOperationQueue 0x") else { return "operation queue" }
    return name
  }
}

/// Stands for the main queue, because on Linux each `DispatchQueue.main` is another object.
private final class MainQueueIdentity: Sendable {
  static let shared = MainQueueIdentity()
}

extension QueuedAction.Place {
  /// The identity of the queue, if it runs one action at a time, in order; `nil` if it may run its
  /// actions in any order. A queue that you make counts as serial, because Dispatch doesn't tell.
  package var serialQueue: ObjectIdentifier? {
    switch self {
    case .mainQueue, .mainRunLoop, .mainOperations: ObjectIdentifier(MainQueueIdentity.shared)
    case .queue(let queue):
      queue.label.hasPrefix("com.apple.root.") ? nil : ObjectIdentifier(queue)
    case .operations(let queue):
      queue.maxConcurrentOperationCount == 1 ? ObjectIdentifier(queue) : nil
    }
  }
}
