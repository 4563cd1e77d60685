import Synchronization

/// A subject that hands each value on to whoever has subscribed and asked for it.
///
/// A subscriber without demand misses the value. Values are sent from any thread: a send from
/// within a delivery is delivered at once, a send from another thread waits until the subject is
/// through, so that all subscribers see one order. Subscribing, requesting and cancelling never
/// wait. Source of the rules: Combine's `PassthroughSubject`.
public final class PassthroughSubject<Output, Failure>: Subject where Failure: Error {
  @usableFromInline
  let hub = SubjectHub()

  private let completion = Locked<Subscribers.Completion<Failure>?>(nil)

  /// Makes a subject without subscribers.
  public init() {}

  public func send(subscription: any Subscription) {
    hub.keep(subscription, demanding: false)
  }

  @inlinable
  public func send(_ input: Output) {
    let wasOutside = hub.gate.enter()
    if !hub.isClosed.load(ordering: .relaxed) {
      withUnsafePointer(to: input) { hub.send($0, failure: Failure.self) }
    }
    if wasOutside { hub.leave() }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    guard hub.close() else { return }
    self.completion.withLock { $0 = completion }
    hub.complete(completion, output: Output.self)
  }

  @inlinable
  @inline(__always)
  public func receive<S>(subscriber: S)
  where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let subscription = SubjectSubscription(
      name: "PassthroughSubject", subject: self, hub: hub
    ) { subscription, demand in
      precondition(demand > 0, "PassthroughSubject: a request for no value breaks the contract")
      let subscription = unsafeDowncast(subscription, to: SubjectSubscription.self)
      subscription.credit.add(demand)
      subscription.hub.noteDemand()
    }
    let conduit = DownstreamConduit.make(subscriber, subscription)
    if hub.attach(conduit) {
      subscriber.receive(subscription: subscription)
      if subscription.endAttaching() { subscriber.receive(completion: storedCompletion) }
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: storedCompletion)
    }
  }

  @usableFromInline
  var storedCompletion: Subscribers.Completion<Failure> {
    completion.withLock { $0 } ?? .finished
  }
}
