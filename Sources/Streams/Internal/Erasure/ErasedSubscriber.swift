/// A subscriber behind closures that were formed where its type was known, so that they're
/// specialised. Values are passed by address, which needs no thunk.
@usableFromInline
class ErasedSubscriber<Input, Failure: Error> {
  @usableFromInline
  typealias Erased = ErasedSubscriber<Input, Failure>

  @usableFromInline
  typealias Attach = (Erased, any Subscription) -> Void

  @usableFromInline
  typealias Deliver = (Erased, UnsafePointer<Input>) -> Subscribers.Demand

  @usableFromInline
  typealias Complete = (Erased, Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  final let attach: Attach

  @usableFromInline
  final let deliver: Deliver

  @usableFromInline
  final let complete: Complete

  /// The depth of the subscriber inside; see ``Trampoline``.
  @usableFromInline
  final let depth: Int

  @inlinable
  init(
    depth: Int, attach: @escaping Attach, deliver: @escaping Deliver, complete: @escaping Complete
  ) {
    self.depth = depth
    self.attach = attach
    self.deliver = deliver
    self.complete = complete
  }

  @inlinable
  final func receive(subscription: any Subscription) { attach(self, subscription) }

  @inlinable
  @inline(__always)
  final func receive(_ input: Input) -> Subscribers.Demand {
    _withUnprotectedUnsafePointer(to: input) { deliver(self, $0) }
  }

  @inlinable
  final func receive(completion: Subscribers.Completion<Failure>) { complete(self, completion) }

  // Overridden to ask the subscriber inside.
  @usableFromInline
  func beginRun() -> Bool { false }

  @usableFromInline
  func endRun() {}

  @usableFromInline
  var description: String { "AnySubscriber" }

  @usableFromInline
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@usableFromInline
final class ErasedDownstream<Downstream: Subscriber>:
  ErasedSubscriber<Downstream.Input, Downstream.Failure>
{
  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(
    _ downstream: Downstream, attach: @escaping Attach, deliver: @escaping Deliver,
    complete: @escaping Complete
  ) {
    self.downstream = downstream
    super.init(
      depth: downstream._depth.value, attach: attach, deliver: deliver, complete: complete)
  }

  /// Hides a subscriber. Call it where all types are known.
  @inlinable
  @inline(__always)
  static func make(_ downstream: Downstream) -> ErasedDownstream {
    ErasedDownstream(
      downstream,
      attach: { erased, subscription in
        unsafeDowncast(erased, to: ErasedDownstream.self).downstream
          .receive(subscription: subscription)
      },
      deliver: { erased, value in
        unsafeDowncast(erased, to: ErasedDownstream.self).downstream.receive(value.pointee)
      },
      complete: { erased, completion in
        unsafeDowncast(erased, to: ErasedDownstream.self).downstream
          .receive(completion: completion)
      })
  }

  @usableFromInline
  override func beginRun() -> Bool { downstream._beginRun().value }

  @usableFromInline
  override func endRun() { downstream._endRun() }

  @usableFromInline
  override var description: String {
    (downstream as? any CustomStringConvertible)?.description ?? super.description
  }

  @usableFromInline
  override var customMirror: Mirror {
    (downstream as? any CustomReflectable)?.customMirror ?? super.customMirror
  }
}
