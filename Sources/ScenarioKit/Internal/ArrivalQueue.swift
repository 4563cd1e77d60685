import Dispatch
import Foundation

/// The delegate queue of a session with a real server. It runs callbacks as soon as they arrive,
/// one at a time.
///
/// A session hands over each chunk as one more operation, and doesn't wait until it has run. From a
/// server that sends faster than we count, they would pile up. So this makes the session's own
/// thread wait while many operations are left, and then the server has to wait too.
///
/// An operation must not wait for the session's thread, because that may be waiting here. Tasks are
/// cancelled from another queue.
///
/// `@unchecked` repeats what `OperationQueue` declares. The state added here is immutable.
final class ArrivalQueue: OperationQueue, @unchecked Sendable {
  private static let mostWaiting = 64
  private let queue = DispatchQueue(label: "arrivals")
  private let places = DispatchSemaphore(value: mostWaiting)

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    places.wait()
    queue.async { [places] in
      block()
      places.signal()
    }
  }

  override func addOperation(_ operation: Operation) {
    addOperation { operation.start() }
  }
}
