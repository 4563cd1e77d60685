import Foundation
import Streams

/// A subscriber whose thread stops inside a delivery until the test lets it go on: a sender that is
/// busy for as long as the test needs.
///
/// ```swift
/// let slow = SlowSubscriber<Never>(stopsAt: 1)
/// subject.subscribe(slow.history)
/// slow.onSenderThread { subject.send(1) }  // Returns once the delivery of 1 has begun.
/// // Here another thread is inside the subject.
/// slow.goOn()  // Returns once the sender is through.
/// ```
package final class SlowSubscriber<Failure: Error>: Sendable {
  /// What the subscriber has received.
  package let history: History<Int, Failure>

  private let began = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Makes a subscriber with unlimited demand.
  ///
  /// - Parameters:
  ///   - value: The value in whose delivery it stops.
  ///   - body: What it does in that delivery when it goes on.
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

  /// Runs a closure on a thread of its own, and returns once the subscriber has stopped in it.
  package func onSenderThread(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [ended] in
      body()
      ended.signal()
    }
    began.wait()
  }

  /// Lets the subscriber go on, and returns once the closure has ended.
  package func goOn() {
    mayGoOn.signal()
    ended.wait()
  }
}
