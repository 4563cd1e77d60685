import Synchronization

/// A subject that passes each value on to the subscribers that have requested it.
///
/// A subscriber without demand misses the value.
///
/// Threads: send, subscribe, request and cancel from any thread. A send from within a delivery is
/// delivered at once. A send from another thread waits until the subject is done with the current
/// one, so all subscribers see the sends of several threads in one order. Subscribing, requesting
/// and cancelling never wait. A subscriber gets what is sent after its first request, even if
/// `receive(subscription:)` hasn't returned yet.
///
/// Recursion: if you send to a subject from within one of its deliveries, each send nests one level
/// deeper, without a limit. About 20,000 levels fit on a stack of 8 MB in a release build.
/// Requests, subscriptions and cancellations from within a delivery don't add up.
///
/// Source of the rules: Combine's `PassthroughSubject`.
public final class PassthroughSubject<Output, Failure>: Subject where Failure: Error {
  @usableFromInline
  let hub = SubjectHub(name: "PassthroughSubject")

  /// Makes a subject without subscribers.
  public init() {}

  deinit { hub.cancelUpstreams() }

  public func send(subscription: any Subscription) { hub.keep(subscription) }

  @inlinable public func send(_ input: Output) { hub.send(input) }

  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    hub.attach(subscriber, to: self)
  }
}

extension PassthroughSubject: Sendable where Output: Sendable {}
