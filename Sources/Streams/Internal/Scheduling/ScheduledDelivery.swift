import Synchronization

/// How a scheduler is asked to run a delivery: at once, or later.
@usableFromInline
protocol Hop {
  func schedule(_ action: @escaping () -> Void)
}

/// The subscriber behind `receive(on:)` and `delay`: it accepts signals at once, and delivers each of
/// them by a hop of its own.
///
/// Contract, beside that of ``GatedDelivery``:
/// - The subscription, requests and a cancellation pass at once, on the thread that makes them.
/// - Once the end is accepted a cancellation comes too late: what was accepted is delivered.
/// - What downstream returns for a value is requested behind that delivery, on the scheduler.
@usableFromInline
final class ScheduledDelivery<Route: Hop, Downstream: Subscriber>: GatedDelivery<Downstream>,
  Subscriber
{
  @usableFromInline
  typealias Input = Downstream.Input

  @usableFromInline
  typealias Failure = Downstream.Failure

  @usableFromInline
  let route: Route

  @inlinable
  init(name: String, route: Route, downstream: Downstream) {
    self.route = route
    super.init(name, downstream: downstream)
  }

  // Behind the downstream's last request there is only the leaving of the gate.
  @inlinable
  static var _requestsLast: _Hint<Bool> { Downstream._requestsLast }

  @inlinable
  func receive(subscription: any Subscription) {
    if attach(subscription) { handOver() }
  }

  @inlinable
  @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if accept() {
      route.schedule {
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
    route.schedule { self.deliver(completion, behind: count) }
  }
}
