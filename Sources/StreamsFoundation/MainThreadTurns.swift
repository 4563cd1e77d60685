import Foundation
import Streams

/// What the schedulers of this module tell a world that alternates with the main thread.
///
/// Such a world runs on a thread of its own, and lets the main thread run only while it waits. It
/// has to know that something was sent to the main thread, wants blocks of the main queue and of
/// the main run loop in the order in which they were sent, and cannot see what waits for the wall
/// clock. Outside a world nothing of this has an effect.
package enum MainThreadTurns {
  package struct Observer: Sendable {
    /// Called when an action was sent to the main thread.
    let didSend: @Sendable () -> Void
    /// Called when an action was told to wait for the wall clock, with the name of the scheduler.
    let didDelay: @Sendable (String) -> Void

    package init(
      didSend: @escaping @Sendable () -> Void, didDelay: @escaping @Sendable (String) -> Void
    ) {
      self.didSend = didSend
      self.didDelay = didDelay
    }
  }

  private static let observer = Locked<Observer?>(nil)

  /// Begins (or with `nil` ends) the turns. The main thread is one, and so is its observer.
  package static func observe(_ observer: Observer?) {
    self.observer.withLock { $0 = observer }
  }

  /// Notes that an action is sent to the main thread.
  ///
  /// - Returns: Whether a world takes turns with it.
  static func noteSend() -> Bool {
    guard let observer = observer.withLock({ $0 }) else { return false }
    observer.didSend()
    return true
  }

  /// Notes that an action will wait for the wall clock.
  static func noteDelay(on scheduler: String) {
    observer.withLock { $0 }?.didDelay(scheduler)
  }
}
