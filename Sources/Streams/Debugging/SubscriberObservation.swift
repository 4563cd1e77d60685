import Synchronization

/// Tells a test kit about each subscriber that people make with `sink` and `assign`, so that it can
/// name those that are left at the end of a test.
///
/// Without an observer, a new subscriber only pays for reading a flag.
@usableFromInline package enum SubscriberObservation {
  /// Runs a request that a task makes when it awaits a value.
  package typealias RequestRunner = @Sendable (_ request: () -> Void) -> Void

  @usableFromInline static let isOn = Atomic<Bool>(false)

  // In a struct: reading a bare closure out of a generic container wraps the stored closure once
  // more each time.
  private struct Observer {
    var makeRunner: @Sendable () -> RequestRunner?
    var observe: @Sendable (any ObservedSubscriber) -> Void
  }

  private static let observer = Locked<Observer?>(nil)

  /// Sets the observer. There is one in a process, and it stays.
  ///
  /// - Parameters:
  ///   - makeRunner: Called where code asks for the `values` of a publisher. A task's calls aren't
  ///     on the stack, so this is where the line of a loop can be seen.
  ///   - observe: Called with each new subscriber, on the thread that makes it.
  package static func begin(
    makeRunner: @escaping @Sendable () -> RequestRunner?,
    _ observe: @escaping @Sendable (any ObservedSubscriber) -> Void
  ) {
    observer.withLock { $0 = Observer(makeRunner: makeRunner, observe: observe) }
    isOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Tells the observer, if there's one. Called by each subscriber at the end of its initializer.
  @inlinable @inline(__always)
  static func note(_ subscriber: @autoclosure () -> any ObservedSubscriber) {
    if isOn.load(ordering: .relaxed) { tell(subscriber()) }
  }

  @usableFromInline
  static func tell(_ subscriber: any ObservedSubscriber) {
    observer.withLock { $0 }?.observe(subscriber)
  }

  /// What runs the requests for the values that are asked for here; `nil` without an observer.
  static var requestRunner: RequestRunner? {
    isOn.load(ordering: .relaxed) ? observer.withLock { $0 }?.makeRunner() : nil
  }
}

/// A subscriber that an observer can ask whether it still has its subscription.
@usableFromInline package protocol ObservedSubscriber: AnyObject, Cancellable {
  /// Whether it has a subscription that has neither ended nor been cancelled.
  var isActive: Bool { get }
}

extension RelaySubscription: ObservedSubscriber {}
