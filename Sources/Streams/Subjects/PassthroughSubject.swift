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
  let hub = SubjectHub(name: "PassthroughSubject", hasCurrentValue: false) { subscription in
    guard let subject = subscription.subject else { return }
    unsafeDowncast(subject, to: PassthroughSubject.self).catchUp(subscription)
  }

  /// How the subject has ended. Written inside the gate, before the hub is closed. Read only after
  /// that.
  @exclusivity(unchecked) @usableFromInline
  var completion = Subscribers.Completion<Failure>.finished

  /// Makes a subject without subscribers.
  public init() {}

  deinit { hub.cancelUpstreams() }

  public func send(subscription: any Subscription) { hub.keep(subscription) }

  @inlinable public func send(_ input: Output) { hub.pass(input, failure: Failure.self) }

  public func send(completion: Subscribers.Completion<Failure>) {
    let wasOutside = hub.gate.enter()
    if !hub.isClosed.load(ordering: .relaxed) {
      self.completion = completion
      hub.complete(completion, output: Output.self)
    }
    if wasOutside { hub.leaveAfterRefreshing() } else { hub.releaseLater() }
  }

  @inlinable @inline(__always)
  public func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
    hub.attach(subscriber, to: self, completion: completion)
  }

  private func catchUp(_ subscription: SubjectSubscription) {
    if hub.isClosed.load(ordering: .acquiring) {
      subscription.finish(with: completion, output: Output.self)
    }
  }
}

// `@unchecked`: `completion` changes once, inside the gate, before the atomic flag that allows
// reading.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
