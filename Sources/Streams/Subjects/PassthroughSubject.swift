import Synchronization

/// A subject that hands each value on to whoever has subscribed and asked for it.
///
/// A subscriber without demand misses the value. Values are sent from any thread: a send from
/// within a delivery is delivered at once, a send from another thread waits until the subject is
/// through, so that all subscribers see the sends of several threads in one order. Subscribing,
/// requesting and cancelling never wait. Source of the rules: Combine's `PassthroughSubject`.
public final class PassthroughSubject<Output, Failure>: Subject where Failure: Error {
  @usableFromInline
  let hub = SubjectHub()

  @usableFromInline
  let completion = SubjectCompletion<Failure>()

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
    self.completion.end(hub, with: completion, output: Output.self)
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
    hub.attach(subscriber, subscription, completion)
  }
}
