import Synchronization

/// The subscribers of a subject, and the gate through which it sends to them.
///
/// Nothing here knows the type of values, so nothing is generic.
///
/// **Inside the gate.** One thread at a time sends, and deliveries run inside: the same thread may
/// come in again (a nested send), another thread that sends waits. The list changes only inside the
/// gate. It may grow and get holes at any time, so a loop over it by index is safe without a copy.
/// Holes are closed only by the thread that is about to leave, when no loop is running.
///
/// **Delegated.** Subscribing, requesting and cancelling never wait. If the gate is free, the thread
/// goes inside and does its one thing. Otherwise it leaves the subscription in `waiting`, and the
/// thread inside attends to it before it leaves, or before its next nested send. Each costs the same
/// however many subscribers there are.
///
/// **Releasing.** Subscriptions that have ended are released by the thread that leaves the gate,
/// after it has left, because that runs code of the user's.
@usableFromInline
final class SubjectHub: @unchecked Sendable {
  struct Waiting {
    /// Subscriptions that the thread inside the gate is to attend to.
    var subscriptions: [SubjectSubscription] = []
    var upstreams = SubjectUpstreams()
  }

  /// The name of the subject.
  @usableFromInline
  let name: String

  /// Whether a subscriber that requests may get a value at once.
  @usableFromInline
  let hasCurrentValue: Bool

  /// Brings a subscriber up to date: delivers the end of the subject, or else the current value if
  /// there is one that it hasn't seen. Called by the thread that may deliver to the subscriber.
  @usableFromInline
  let update: (SubjectSubscription) -> Void

  @usableFromInline
  let gate = Gate()

  /// Whether the subject has completed. Changes inside the gate.
  @usableFromInline
  let isClosed = Atomic<Bool>(false)

  /// Whether a subscriber has requested something; see ``noteDemand()``.
  let hasDemand: Atomic<Bool>

  let waiting = Locked(Waiting())

  // The list and the chain are touched inside the gate only.
  @exclusivity(unchecked)
  @usableFromInline
  var list = SlotList<SubjectSubscription>()

  /// Subscriptions that are off the list and still to be released.
  @exclusivity(unchecked)
  private var departed: Unmanaged<SubjectSubscription>?

  @usableFromInline
  init(
    name: String, hasCurrentValue: Bool, update: @escaping (SubjectSubscription) -> Void
  ) {
    self.name = name
    self.hasCurrentValue = hasCurrentValue
    self.update = update
    // A subject with a current value wants everything at once.
    hasDemand = Atomic(hasCurrentValue)
  }

  // MARK: Signals

  /// Hands a subscriber its subscription, or tells it that the subject has ended.
  ///
  /// - Parameter completion: How the subject has ended; asked for only if it has.
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
    // On the list first: a value that is sent from within `receive(subscription:)` arrives.
    attend(subscription)
    subscription.handOver(to: subscriber)
  }

  /// Offers a value to all who have subscribed so far. Only inside the gate.
  @inlinable
  @inline(__always)
  func send<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, version: Int?, failure: Failure.Type
  ) {
    // A subscriber that comes meanwhile stands behind this end.
    let end = list.end
    var index = 0
    while index < end {
      list[index]?._withUnsafeGuaranteedRef {
        $0.offer(value, version: version, failure: failure)
      }
      index += 1
    }
  }

  /// Ends the subject and tells all who have subscribed. Only inside the gate, once.
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

  /// Sees to it that a thread inside the gate does what a subscription needs: goes onto the list,
  /// catches up, or goes off the list. Doesn't wait.
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

  /// Does what a subscription needs. Only inside the gate.
  private func settle(_ subscription: SubjectSubscription) {
    if !subscription.credit.isEnded {
      if subscription.slot == Slotted.nowhere {
        list.append(subscription)
        // The attaching thread delivers nothing before the subscription.
        if subscription.handOver.isMine { return }
      }
      update(subscription)
    }
    departIfEnded(subscription)
  }

  /// Attends to the subscriptions that other threads have left. Only inside the gate.
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

  /// Takes a subscription that has ended off the list. During its hand-over that waits, because the
  /// attaching thread may be using the subscriber; it attends to it afterwards.
  @usableFromInline
  func departIfEnded(_ subscription: SubjectSubscription) {
    guard subscription.credit.isEnded, subscription.handOver.isOver, !subscription.hasDeparted
    else { return }
    subscription.hasDeparted = true
    // It may have ended before it came onto the list.
    let departing = list.remove(subscription) ?? .passRetained(subscription)
    subscription.nextDeparted = departed
    departed = departing
  }

  // MARK: Leaving the gate

  /// Leaves the gate, after attending to what others have left meanwhile.
  @inlinable
  func leave() {
    if !gate.leaveUndisturbed() { leaveTidily() }
  }

  /// Leaves the gate, after attending to what others have left meanwhile, and releases what has
  /// departed.
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

  /// Leaves the tidying to the outermost call of this thread.
  @usableFromInline
  func tidyLater() {
    if departed != nil { _ = gate.enterOrDelegate() }
  }

  /// Closes the holes in the list and hands over what is to be released. Only when no loop is
  /// running.
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
