import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// The class doesn't know the type of the values, so it isn't generic. Only the methods
/// that deliver are.
///
/// **Inside the gate.** One thread at a time sends, and its deliveries run inside the gate. The
/// same thread can enter again (a nested send). A second thread that sends waits. The list changes
/// only inside the gate. It may grow and get holes at any time, but a loop by index copes with
/// that, so it needs no copy. Holes are closed only by the thread that is about to leave, when no
/// loop is running.
///
/// **Delegated.** Subscribing, requesting and cancelling never wait. If the gate is free, the
/// thread enters and does its one thing. Otherwise it puts the subscription into `waiting`, and the
/// thread inside attends to it before it leaves, or before its next nested send. Each of these
/// costs the same however many subscribers there are.
///
/// **Releasing.** Subscriptions that have ended are released by the thread that leaves the gate,
/// after it has left. A release can run the user's code.
@usableFromInline
final class SubjectHub: @unchecked Sendable {
  // `@unchecked`: the variables are only touched inside the gate, and `update` captures nothing.

  struct Waiting {
    /// Subscriptions for the thread inside the gate to attend to.
    var subscriptions: [SubjectSubscription] = []
    var upstreams = SubjectUpstreams()
  }

  /// The name of the subject.
  @usableFromInline
  let name: String

  /// Whether a subscriber that requests may get a value at once.
  @usableFromInline
  let hasCurrentValue: Bool

  /// Whether a subscriber gets no more values than it has requested. If not, its first request
  /// counts as unlimited.
  let hasBackPressure: Bool

  /// Brings a subscriber up to date: delivers the completion if the subject has ended, or else the
  /// current value if there is one that the subscriber hasn't seen. Called by the thread that may
  /// deliver to the subscriber.
  @usableFromInline
  let update: (SubjectSubscription) -> Void

  @usableFromInline
  let gate = Gate()

  /// Whether the subject has completed. Changes inside the gate.
  @usableFromInline
  let isClosed = Atomic<Bool>(false)

  /// Whether a subscriber has requested something; see ``noteDemand()``. `true` from the start if
  /// there is a current value.
  let hasDemand: Atomic<Bool>

  let waiting = Locked(Waiting())

  // The list and the chain are touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var list = SlotList<SubjectSubscription>()

  /// The first of the subscriptions that are off the list and still have to be released.
  @exclusivity(unchecked)
  private var departed: Unmanaged<SubjectSubscription>?

  @usableFromInline
  init(
    name: String, hasCurrentValue: Bool, hasBackPressure: Bool = true,
    update: @escaping (SubjectSubscription) -> Void
  ) {
    self.name = name
    self.hasCurrentValue = hasCurrentValue
    self.hasBackPressure = hasBackPressure
    self.update = update
    // A subject with a current value requests everything from its upstreams at once.
    hasDemand = Atomic(hasCurrentValue)
  }

  // MARK: Signals

  /// Hands a subscriber its subscription, or the completion if the subject has ended.
  ///
  /// - Parameter completion: How the subject has ended. Evaluated only if it has.
  @inlinable
  @inline(__always)
  func attach<S: Subscriber>(
    _ subscriber: S, to subject: AnyObject,
    completion: @autoclosure () -> Subscribers.Completion<S.Failure>
  ) {
    if isClosed.load(ordering: .acquiring) {
      return subscriber.receiveEmptyStream(completion())
    }
    let subscription = SubjectSubscription(
      hub: self, subject: subject, downstream: ErasedDownstream.make(subscriber))
    // On the list first, so that a value sent from within `receive(subscription:)` arrives.
    attend(subscription)
    subscription.handOver(to: subscriber)
  }

  /// Sends a value that isn't kept to all subscribers, as a `PassthroughSubject` does.
  @inlinable
  func pass<Output, Failure: Error>(_ value: Output, failure: Failure.Type) {
    let me = ThreadID.current
    let wasOutside = gate.enter(as: me)
    if !wasOutside { admitLatecomers() }
    if !isClosed.load(ordering: .relaxed) {
      withUnsafePointer(to: value) { send($0, version: nil, failure: failure) }
    }
    if wasOutside { leave(as: me) }
  }

  /// Offers a value to all current subscribers. Called inside the gate only.
  @inlinable
  @inline(__always)
  func send<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: Int?, failure: Failure.Type
  ) {
    // Subscribers that join during the loop stand after this end, and don't get this value.
    let end = list.end
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef {
        $0.offer(value, version: version, failure: failure)
      }
      index += 1
    }
  }

  /// Ends the subject and delivers the completion to all subscribers. Called inside the gate only,
  /// once.
  @inlinable
  func complete<Output, Failure: Error>(
    _ completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    isClosed.store(true, ordering: .releasing)
    let end = list.end
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef {
        $0.finish(with: completion, output: output)
        departIfEnded($0)
      }
      index += 1
    }
  }

  // MARK: Attending to a subscription

  /// Makes sure that a thread inside the gate does what a subscription needs: adds it to the list,
  /// brings it up to date, or takes it off the list. Doesn't wait.
  @usableFromInline
  func attend(_ subscription: SubjectSubscription) {
    if gate.enterIfEmpty() {
      settle(subscription)
      leaveTidily()
    } else if gate.isMine {
      settle(subscription)
      tidyLater()
    } else {
      waiting.withLock { $0.subscriptions.append(subscription) }
      guard gate.enterOrDelegate() else { return }
      settleWaiting()
      leaveTidily()
    }
  }

  /// Does what a subscription needs. Called inside the gate only.
  private func settle(_ subscription: SubjectSubscription) {
    if !subscription.credit.isEnded {
      if subscription.slot == Slotted.nowhere {
        list.append(subscription)
        // During the hand-over, the attaching thread delivers nothing before the subscription.
        if subscription.handOver.isMine { return }
      }
      update(subscription)
    }
    departIfEnded(subscription)
  }

  /// Attends to the subscriptions that other threads have left. Called inside the gate only.
  private func settleWaiting() {
    let subscriptions = waiting.withLock { $0.subscriptions.take() }
    for subscription in subscriptions { settle(subscription) }
  }

  /// Attends to the subscriptions that other threads have left so far, so that a nested send
  /// reaches them.
  @usableFromInline
  func admitLatecomers() {
    if gate.hasChores { settleWaiting() }
  }

  /// Takes a subscription that has ended off the list. During its hand-over, the attaching thread
  /// may be using the subscriber, so that thread does it afterwards.
  @usableFromInline
  func departIfEnded(_ subscription: SubjectSubscription) {
    guard subscription.credit.isEnded, subscription.handOver.isOver, !subscription.hasDeparted
    else { return }
    subscription.hasDeparted = true
    // It may have ended before it was added to the list.
    let departing = list.remove(subscription) ?? .passRetained(subscription)
    subscription.nextDeparted = departed
    departed = departing
  }

  // MARK: Leaving the gate

  /// Leaves the gate, after attending to the subscriptions that other threads have left meanwhile.
  @inlinable
  @inline(__always)
  func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveTidily() }
  }

  /// Leaves the gate, after attending to the subscriptions that other threads have left meanwhile.
  /// Then releases the subscriptions that have departed.
  @usableFromInline
  func leaveTidily() {
    var released: Unmanaged<SubjectSubscription>?
    tidy(&released)
    if !gate.leaveUndisturbed() {
      gate.leave {
        settleWaiting()
        tidy(&released)
      }
    }
    while let subscription = released?.takeRetainedValue() {
      released = subscription.nextDeparted
      subscription.releaseEnds()
    }
  }

  /// Leaves the tidying to this thread's outermost call.
  @usableFromInline
  func tidyLater() {
    if departed != nil { _ = gate.enterOrDelegate() }
  }

  /// Closes the holes in the list, and hands the departed subscriptions over for release. Called
  /// only when no loop is running.
  private func tidy(_ released: inout Unmanaged<SubjectSubscription>?) {
    list.closeHoles()
    while let next = departed {
      next._withUnsafeGuaranteedRef { subscription in
        departed = subscription.nextDeparted
        subscription.nextDeparted = released
      }
      released = next
    }
  }
}

extension Array {
  /// Takes out all elements.
  fileprivate mutating func take() -> [Element] {
    defer { self = [] }
    return self
  }
}
