import Synchronization

/// The subscriber behind `receive(on:)`. It accepts signals at once, and schedules the delivery of
/// each one separately, at the scheduler's next opportunity.
///
/// Contract, in addition to that of ``GatedDelivery``:
/// - The subscription, requests and a cancellation pass at once, on the thread they come from.
/// - Once the completion is accepted, a cancellation comes too late: everything accepted is
///   delivered.
/// - Values are delivered in the order in which the scheduler runs them, and the completion after
///   all of them. If the scheduler drops a value's delivery, the completion isn't delivered either.
/// - Demand that downstream returns for a value is requested after that delivery, on the scheduler.
@usableFromInline
final class ScheduledDelivery<Context: Scheduler, Downstream: Subscriber>:
  GatedDelivery<Downstream>, Subscriber
{
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, options: Context.SchedulerOptions?, downstream: Downstream) {
    self.scheduler = scheduler
    self.options = options
    super.init("ReceiveOn", downstream: downstream)
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
      scheduler.schedule(options: options) {
        let more = self.deliver(accepted: input)
        if more > 0 { self.forward(more) }
      }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard acceptCompletion() != nil else { return }
    scheduler.schedule(options: options) { self.deliver(completion) }
  }
}
