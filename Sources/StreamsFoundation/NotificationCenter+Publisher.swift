import Foundation
import Streams

extension NotificationCenter {
  /// A publisher of the notifications that this center sends.
  ///
  /// ```swift
  /// center.publisher(for: .userDidLogIn).sink { print($0.object ?? "nobody") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: Whose notifications; if `nil`, everybody's. A subscriber keeps it alive.
  /// - Returns: A publisher that never ends.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes the notifications that a center sends.
  ///
  /// - Demand: a notification that a subscriber has not requested is dropped.
  /// - Threads: notifications arrive on the thread that posts them, one at a time: one that is
  ///   posted while another is being delivered nests, or waits if that is on another thread.
  ///   `request(_:)` and `cancel()` may be called from any thread.
  /// - Cancellation: ends the observation, which began with the subscription; nothing is delivered
  ///   from then on. So does releasing the subscription.
  ///
  /// Source of the rules: `NotificationCenter.Publisher` of Apple's Foundation.
  public struct Publisher: Streams.Publisher, Equatable {
    public typealias Output = Notification
    public typealias Failure = Never

    /// Who sends the notifications.
    public let center: NotificationCenter

    /// The name of the notifications.
    public let name: Notification.Name

    /// Whose notifications; if `nil`, everybody's.
    public let object: AnyObject?

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - center: Who sends the notifications.
    ///   - name: The name of the notifications.
    ///   - object: Whose notifications; if `nil`, everybody's.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches the subscriber, and observes the center for it.
    public func receive<S>(subscriber: S)
    where S: Subscriber, S.Failure == Failure, S.Input == Output {
      let listener = SubscriberListener("NotificationCenter Observer", downstream: subscriber)
      listener.attach { listener in
        let token = center.addObserver(forName: name, object: object, queue: nil) {
          [weak listener] notification in listener?.offer(notification)
        }
        return { [center, object] in
          center.removeObserver(token)
          _ = object
        }
      }
    }

    /// Whether both publish the same object's notifications of the same name from the same center.
    public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
      lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
  }
}
