import Foundation
import Streams

/// A subscriber that stops the sender's thread inside a delivery, until the test lets it continue.
///
/// ```swift
/// let slow = SlowSubscriber<Never>(stopsAt: 1)
/// subject.subscribe(slow.history)
/// slow.onSenderThread { subject.send(1) }  // Returns once the delivery of 1 has begun.
/// // Here another thread is inside the subject.
/// slow.goOn()  // Returns once the sender is done.
/// ```
package final class SlowSubscriber<Failure: Error>: Sendable {
  /// The events that the subscriber has received.
  package let history: History<Int, Failure>

  private let began = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Makes a subscriber with unlimited demand.
  ///
  /// - Parameters:
  ///   - value: The value at which it stops, inside the delivery.
  ///   - body: Runs inside that delivery when the subscriber continues.
  package init(stopsAt value: Int, _ body: (() -> Void)? = nil) {
    history = History()
    history.onValue = { [began, mayGoOn] received in
      if received == value {
        began.signal()
        mayGoOn.wait()
        body?()
      }
      return .none
    }
  }

  /// Runs a closure on a new thread, and returns once the subscriber has stopped inside it.
  package func onSenderThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [ended] in
      body()
      ended.signal()
    }
    began.wait()
  }

  /// Lets the subscriber continue, and returns once the closure has ended.
  package func goOn() {
    mayGoOn.signal()
    ended.wait()
  }
}
