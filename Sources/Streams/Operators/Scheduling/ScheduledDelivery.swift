import Synchronization

/// A way to schedule a delivery: at once, or later.
@usableFromInline protocol Hop {
  func schedule(_ action: @escaping () -> Void)
}

/// The subscriber behind `receive(on:)` and `delay`. It accepts signals at once, and schedules the
/// delivery of each one separately.
///
/// Contract, in addition to that of ``GatedDelivery``:
/// - The subscription, requests and a cancellation pass at once, on the thread they come from.
/// - Once the completion is accepted, a cancellation comes too late: everything accepted is
///   delivered.
/// - Demand that downstream returns for a value is requested after that delivery, on the scheduler.
@usableFromInline
final class ScheduledDelivery<HopType: Hop, Downstream: Subscriber>: GatedDelivery<Downstream>,
  Subscriber
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let hop: HopType

  @inlinable
  init(name: StaticString, hop: HopType, downstream: Downstream) {
    self.hop = hop
    super.init(name, downstream: downstream)
  }

  // After downstream's last request, only leaving the gate remains.
  @inlinable static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  @inlinable
  func receive(subscription: any Subscription) {
    if attach(subscription) { handOver() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if accept() {
      hop.schedule {
        let more = self.deliverAccepted(input)
        if more > 0 { self.forward(more) }
      }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard beginCompletion() != nil else { return }
    let count = acceptedCount
    hop.schedule { self.deliver(completion, behind: count) }
  }
}
