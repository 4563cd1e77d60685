import Synchronization

/// Tells an observer about each new subscriber that people make with `sink` and `assign`, so that a
/// test can name those that are left at its end.
///
/// Without an observer, a new subscriber only pays for reading a flag.
@usableFromInline package enum SubscriberObservation {
  /// Called with each new subscriber, on the thread that makes it.
  @usableFromInline package typealias Observer = @Sendable (any ObservedSubscriber) -> Void

  /// Runs a request that a task makes when it awaits a value.
  package typealias RequestRunner = @Sendable (_ request: () -> Void) -> Void

  @usableFromInline static let isOn = Atomic<Bool>(false)

  // In a struct: reading a bare closure out of a generic container wraps the stored closure once
  // more each time.
  private struct State {
    var observer: Observer?
    var makeRunner: (@Sendable () -> RequestRunner?)?
  }

  private static let state = Locked(State())

  /// Sets the observer. There is one in a process, and it stays.
  ///
  /// - Parameters:
  ///   - makeRunner: Called where code asks for the `values` of a publisher. A task's calls aren't
  ///     on the stack, so this is where the line of a loop can be seen.
  ///   - observe: The observer.
  package static func begin(
    makeRunner: @escaping @Sendable () -> RequestRunner?, _ observe: @escaping Observer
  ) {
    state.withLock { $0 = State(observer: observe, makeRunner: makeRunner) }
    isOn.store(true, ordering: .sequentiallyConsistent)
  }

  /// Called by each subscriber at the end of its initializer.
  @inlinable @inline(__always)
  static func note(_ subscriber: @autoclosure () -> any ObservedSubscriber) {
    if isOn.load(ordering: .relaxed) { tell(subscriber()) }
  }

  /// What runs the requests for the values that are asked for here; `nil` without an observer.
  static var requestRunner: RequestRunner? {
    isOn.load(ordering: .relaxed) ? state.withLock { $0.makeRunner }?() : nil
  }

  @usableFromInline
  static func tell(_ subscriber: any ObservedSubscriber) {
    state.withLock { $0.observer }?(subscriber)
  }
}

/// A subscriber that an observer can ask whether it still has its subscription.
@usableFromInline package protocol ObservedSubscriber: AnyObject, Cancellable {
  /// Whether it has a subscription that has neither ended nor been cancelled.
  var hasSubscription: Bool { get }
}
