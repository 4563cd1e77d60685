import Synchronization

/// When and where a delivery goes on.
@usableFromInline
protocol Hop {
  func schedule(_ action: @escaping () -> Void)
}

/// The subscriber behind `receive(on:)` and `delay`: it takes signals at once and delivers each of
/// them by a hop of its own.
///
/// The subscription is handed on at once, and so are requests and cancellation. Once a completion
/// is on its way a cancellation has no effect.
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
    if acceptsSignals.load(ordering: .relaxed) {
      route.schedule {
        let more = self.deliver(input)
        if more > 0 { self.forward(more) }
      }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if beginCompletion() != nil { route.schedule { self.deliver(completion) } }
  }
}
