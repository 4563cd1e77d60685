/// A subscriber whose type is hidden, so that one type of subscription serves them all.
///
/// It hides the types of the signals too, so the caller has to send those that the subscriber
/// expects. A value comes by address, through a closure that was formed where the subscriber's type
/// was known. That closure is specialised, which makes values fast. The other signals are rare, so
/// they go through methods, which aren't.
@usableFromInline class ErasedSubscriber {
  @usableFromInline typealias Deliver = (ErasedSubscriber, UnsafeRawPointer) -> Subscribers.Demand

  @usableFromInline final let deliver: Deliver

  @inlinable init(deliver: @escaping Deliver) { self.deliver = deliver }

  /// Delivers a value by its address.
  ///
  /// - Parameter input: A value of the subscriber's `Input`.
  @inlinable @inline(__always)
  final func receive(_ input: UnsafeRawPointer) -> Subscribers.Demand { deliver(self, input) }

  // Overridden by the class that knows the subscriber inside.

  @usableFromInline func receive(subscription: any Subscription) {}

  @usableFromInline
  func receive<Failure: Error>(completion: Subscribers.Completion<Failure>) {}

  /// The depth of the subscriber inside; see ``Trampoline``.
  @usableFromInline var depth: Int { 0 }

  /// The subscriber behind the tap, if the subscriber inside has one; see ``SubscriberTap``.
  @usableFromInline var tapped: Any? { nil }

  @usableFromInline var description: String { "AnySubscriber" }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@usableFromInline final class ErasedDownstream<Downstream: Subscriber>: ErasedSubscriber {
  @usableFromInline let downstream: Downstream

  /// Hides a subscriber. Call it where all types are known.
  @inlinable @inline(__always)
  init(_ downstream: Downstream) {
    self.downstream = downstream
    super.init { erased, input in
      unsafeDowncast(erased, to: ErasedDownstream.self).downstream
        .receive(input.assumingMemoryBound(to: Downstream.Input.self).pointee)
    }
  }

  @usableFromInline
  override func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  @usableFromInline
  override func receive<Failure: Error>(completion: Subscribers.Completion<Failure>) {
    guard let completion = completion as? Subscribers.Completion<Downstream.Failure> else {
      preconditionFailure("a subscriber that expects \(Downstream.Failure.self) got \(completion)")
    }
    downstream.receive(completion: completion)
  }

  @usableFromInline override var depth: Int { downstream._depth.value }

  @usableFromInline override var tapped: Any? { (downstream as? any TappedSubscriber)?.tapped }

  @usableFromInline override var description: String {
    (downstream as? any CustomStringConvertible)?.description ?? super.description
  }

  @usableFromInline override var customMirror: Mirror {
    (downstream as? any CustomReflectable)?.customMirror ?? super.customMirror
  }
}
