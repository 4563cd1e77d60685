/// A subscription or a completion on its way to an ``ErasedSubscriber``, by address.
@usableFromInline enum ErasedEvent<Failure: Error> {
  case subscription(UnsafePointer<any Subscription>)
  case completion(UnsafePointer<Subscribers.Completion<Failure>>)
}

/// A subscriber behind two closures that were formed where its type was known, so that they're
/// specialised. Everything is passed by address, which needs no thunk.
///
/// Each closure takes two words of every subscription. So values have one of their own, because it
/// has to be fast, and the other events share one.
@usableFromInline class ErasedSubscriber<Input, Failure: Error> {
  @usableFromInline typealias Erased = ErasedSubscriber<Input, Failure>
  @usableFromInline typealias Deliver = (Erased, UnsafePointer<Input>) -> Subscribers.Demand
  @usableFromInline typealias Handle = (Erased, ErasedEvent<Failure>) -> Void
  @usableFromInline final let deliver: Deliver
  @usableFromInline final let handle: Handle

  @inlinable
  init(deliver: @escaping Deliver, handle: @escaping Handle) {
    self.deliver = deliver
    self.handle = handle
  }

  @inlinable
  final func receive(subscription: any Subscription) {
    withUnsafePointer(to: subscription) { handle(self, .subscription($0)) }
  }

  @inlinable @inline(__always)
  final func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { deliver(self, $0) }
  }

  @inlinable
  final func receive(completion: Subscribers.Completion<Failure>) {
    withUnsafePointer(to: completion) { handle(self, .completion($0)) }
  }

  // Overridden by the class that knows the subscriber inside.

  /// The depth of the subscriber inside; see ``Trampoline``.
  @usableFromInline var depth: Int { 0 }

  /// The subscriber behind the tap, if the subscriber inside has one; see ``SubscriberTap``.
  @usableFromInline var tapped: Any? { nil }

  @usableFromInline var description: String { "AnySubscriber" }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@usableFromInline
final class ErasedDownstream<Downstream: Subscriber>:
  ErasedSubscriber<Downstream.Input, Downstream.Failure>
{
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ downstream: Downstream, deliver: @escaping Deliver, handle: @escaping Handle) {
    self.downstream = downstream
    super.init(deliver: deliver, handle: handle)
  }

  /// Hides a subscriber. Call it where all types are known.
  @inlinable @inline(__always)
  static func make(_ downstream: Downstream) -> ErasedDownstream {
    ErasedDownstream(
      downstream,
      deliver: { erased, value in
        unsafeDowncast(erased, to: ErasedDownstream.self).downstream.receive(value.pointee)
      },
      handle: { erased, event in
        let erased = unsafeDowncast(erased, to: ErasedDownstream.self)
        switch event {
        case .subscription(let subscription):
          erased.downstream.receive(subscription: subscription.pointee)
        case .completion(let completion):
          erased.downstream.receive(completion: completion.pointee)
        }
      })
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
