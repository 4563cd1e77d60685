import Foundation
import Streams

extension NotificationCenter {
  /// Returns a publisher of the notifications that this center sends.
  ///
  /// ```swift
  /// center.publisher(for: .userDidLogIn).sink { print($0.object ?? "no user") }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object whose notifications you want; if `nil`, those of every object. A
  ///     subscription keeps the object alive.
  /// - Returns: A publisher that never ends.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// A publisher of the notifications that a center sends.
  ///
  /// - Demand: a notification that a subscriber hasn't requested is dropped.
  /// - Threads: notifications arrive on the thread that posts them, one at a time. If you post one
  ///   while another is being delivered, it nests on the same thread, and waits on another thread.
  ///   You can call `request(_:)` and `cancel()` from any thread.
  /// - Cancellation: ends the observation, which began with the subscription. Nothing is delivered
  ///   afterwards. Releasing the subscription has the same effect.
  ///
  /// Source of the rules: `NotificationCenter.Publisher` of Apple's Foundation.
  public struct Publisher: Streams.Publisher, Equatable {
    public typealias Output = Notification
    public typealias Failure = Never

    /// The center that sends the notifications.
    public let center: NotificationCenter

    /// The name of the notifications.
    public let name: Notification.Name

    /// The object whose notifications are published; if `nil`, those of every object.
    public let object: AnyObject?

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - center: The center that sends the notifications.
    ///   - name: The name of the notifications.
    ///   - object: The object whose notifications you want; if `nil`, those of every object.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Attaches the subscriber, and starts to observe the center for it.
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

    /// Whether both have the same center, name and object.
    public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
      lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
  }
}
