import Streams

/// The subscription to a source that sends whenever it likes. Values that weren't requested are
/// dropped.
///
/// Any thread may send, request and cancel.
///
/// `@unchecked`: what changes is atomic, behind a gate, or touched by one thread as said beside it.
class Listener<Output>: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  let description: String

  fileprivate let credit = DemandCredit()

  /// Takes this from the source's list. Set before the subscription is handed over; the thread that
  /// ends the credit takes and calls it.
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

/// The subscription of one subscriber. The gate serialises the deliveries: a delivery on the thread
/// that is inside nests, and a delivery on another thread waits.
final class SubscriberListener<Downstream: Subscriber>: Listener<Downstream.Input>,
  @unchecked Sendable
{
  private let gate = Gate()

  // Touched inside the gate only.
  private var downstream: Downstream?

  init(_ description: String, downstream: Downstream) {
    self.downstream = downstream
    super.init(description)
  }

  /// Hands the subscription over. Values that other threads send meanwhile come after it.
  ///
  /// - Parameter join: Puts this on the source's list, and returns what takes it from there.
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

  /// Lets go of the downstream, or delegates that to the thread that is inside the gate.
  fileprivate override func release() {
    guard gate.enterOrDelegate() else { return }
    let released = downstream.take()
    leave()
    _ = released
  }

  /// Leaves the gate, after the release that a cancellation may have delegated.
  private func leave() {
    var released: Downstream?
    gate.leave { if let downstream = downstream.take() { released = downstream } }
    _ = released
  }
}
