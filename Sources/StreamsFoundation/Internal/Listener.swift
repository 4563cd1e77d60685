import Streams

/// The subscription to a source that sends values regardless of demand. Values that weren't
/// requested are dropped.
///
/// Any thread may send, request and cancel.
///
/// `@unchecked`: mutable state is atomic, behind a gate, or used by one thread as its comment says.
class Listener<Output>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  let description: String

  fileprivate let credit = DemandCredit()

  /// Removes this from the source's list. It's set before the subscriber gets its subscription. The
  /// thread that ends the credit takes it and calls it.
  fileprivate var leaveSource: (() -> Void)?

  fileprivate init(_ description: String) { self.description = description }

  deinit { leaveSource?() }

  final func request(_ demand: Subscribers.Demand) { credit.add(demand) }

  final func cancel() {
    guard credit.end() else { return }
    leaveSource.take()?()
    release()
  }

  /// Delivers a value, if it was requested.
  func offer(_ value: Output) {}

  fileprivate func release() {}

  final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  final var playgroundDescription: Any { description }
}

/// The subscription of one subscriber. The gate serialises deliveries: a delivery on the thread
/// that is inside the gate nests, and a delivery on another thread waits.
final class SubscriberListener<Downstream: Subscriber>: Listener<Downstream.Input>,
  @unchecked Sendable
{
  private let gate = Gate()

  // Used only inside the gate.
  private var downstream: Downstream?

  init(_ description: String, downstream: Downstream) {
    self.downstream = downstream
    super.init(description)
  }

  /// Sends the subscription to the subscriber. Values that other threads send meanwhile arrive
  /// after it.
  ///
  /// - Parameter join: Adds this to the source's list, and returns a closure that removes it.
  func attach(to join: (Listener<Downstream.Input>) -> (() -> Void)) {
    let wasOutside = gate.enter()
    leaveSource = join(self)
    downstream?.receive(subscription: self)
    if wasOutside { leave() }
  }

  override func offer(_ value: Downstream.Input) {
    let wasOutside = gate.enter()
    if credit.take(), let downstream { credit.add(downstream.receive(value)) }
    if wasOutside { leave() }
  }

  /// Releases the downstream, or leaves that to the thread that is inside the gate.
  fileprivate override func release() {
    guard gate.enterOrLeaveNote() else { return }
    let released = downstream.take()
    leave()
    _ = released
  }

  /// Leaves the gate. First it releases the downstream if a cancellation delegated that.
  private func leave() {
    var released: Downstream?
    gate.leave { if let downstream = downstream.take() { released = downstream } }
    _ = released
  }
}
