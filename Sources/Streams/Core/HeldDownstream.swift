/// Downstream as an object. A thread that takes it out of a state to deliver retains only this
/// object, and not each one that a chain of stages holds.
@usableFromInline final class HeldDownstream<Downstream: Subscriber> {
  @usableFromInline let subscriber: Downstream

  @inlinable init(_ subscriber: Downstream) { self.subscriber = subscriber }
}
