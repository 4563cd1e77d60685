import Synchronization

/// Tells an observer about each new subscriber that people make with `sink` and `assign`, so that a
/// test can name those that are left at its end.
///
/// Without an observer, a new subscriber only pays for reading a flag.
@usableFromInline
package enum SubscriberObservation {
  /// Called with each new subscriber, on the thread that makes it.
  @usableFromInline
  package typealias Observer = @Sendable (any ObservedSubscriber) -> Void

  @usableFromInline
  static let isOn = Atomic<Bool>(false)

  private static let observer = Locked<Observer?>(nil)

  /// Sets the observer. There is one in a process, and it stays.
  package static func begin(_ observe: @escaping Observer) {
    observer.withLock { $0 = observe }
    isOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Called by each subscriber at the end of its initializer.
  @inlinable
  @inline(__always)
  static func note(_ subscriber: @autoclosure () -> any ObservedSubscriber) {
    if isOn.load(ordering: .relaxed) { tell(subscriber()) }
  }

  @usableFromInline
  static func tell(_ subscriber: any ObservedSubscriber) {
    observer.withLock { $0 }?(subscriber)
  }
}

/// A subscriber that an observer can ask whether it still has its subscription.
@usableFromInline
package protocol ObservedSubscriber: AnyObject {
  /// Whether it has a subscription that has neither ended nor been cancelled.
  var hasSubscription: Bool { get }
}
