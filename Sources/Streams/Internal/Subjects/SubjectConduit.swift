import Synchronization

/// The face that a subject shows to one subscriber. It keeps the subject alive.
@usableFromInline
final class SubjectSubscription: SourceSubscription {
  @usableFromInline
  let credit = DemandCredit()

  @usableFromInline
  let hub: SubjectHub

  @usableFromInline
  let subject: AnyObject

  /// Whether the newest value is still to be delivered. Changes inside the gate; matters only where
  /// there is a current value.
  @usableFromInline
  let isBehind = Atomic<Bool>(true)

  /// The thread that is handing the subscription over; `none` once it has, `invalid` if the subject
  /// has completed meanwhile.
  private let attacher = Atomic<UInt>(ThreadID.current)

  private let name: String

  @usableFromInline
  init(name: String, subject: AnyObject, hub: SubjectHub, onRequest: @escaping Request) {
    self.name = name
    self.subject = subject
    self.hub = hub
    super.init(onRequest: onRequest) { subscription in
      let subscription = unsafeDowncast(subscription, to: SubjectSubscription.self)
      subscription.attacher.store(ThreadID.none, ordering: .relaxed)
      if subscription.credit.end() { subscription.hub.doChores() }
    }
  }

  /// Leaves the completion to the thread that is just handing the subscription over, since that
  /// comes first.
  ///
  /// - Returns: Whether it was left to another thread.
  @usableFromInline
  func leavesCompletionToAttacher() -> Bool {
    let thread = attacher.load(ordering: .acquiring)
    guard thread != ThreadID.none, thread != ThreadID.current else { return false }
    return attacher.compareExchange(
      expected: thread, desired: ThreadID.invalid, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Notes that the subscription has been handed over.
  ///
  /// - Returns: Whether the subject has completed meanwhile, and the subscriber is to be told.
  @usableFromInline
  func endAttaching() -> Bool {
    attacher.exchange(ThreadID.none, ordering: .acquiringAndReleasing) == ThreadID.invalid
  }

  @usableFromInline
  override var description: String { name }
}

/// What a subject's list holds of one subscriber. The list alone keeps it alive.
@usableFromInline
class SubjectConduit {
  @usableFromInline
  final let subscription: SubjectSubscription

  @inlinable
  init(subscription: SubjectSubscription) { self.subscription = subscription }
}

/// A conduit that knows the types of its signals: whom they go to is behind two functions, formed
/// where that type is known too. A value travels by address, which needs no thunk.
@usableFromInline
class TypedSubjectConduit<Output, Failure: Error>: SubjectConduit {
  @usableFromInline
  typealias Deliver = (SubjectConduit, UnsafePointer<Output>) -> Subscribers.Demand

  @usableFromInline
  typealias Complete = (SubjectConduit, Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  final let deliver: Deliver

  @usableFromInline
  final let complete: Complete

  @inlinable
  init(
    subscription: SubjectSubscription, deliver: @escaping Deliver, complete: @escaping Complete
  ) {
    self.deliver = deliver
    self.complete = complete
    super.init(subscription: subscription)
  }

  /// Delivers a value if there is demand; only inside the gate.
  @inlinable
  final func offer(_ value: UnsafePointer<Output>) {
    guard subscription.credit.take() else {
      return subscription.isBehind.store(true, ordering: .relaxed)
    }
    subscription.isBehind.store(false, ordering: .relaxed)
    let more = deliver(self, value)
    if more > 0 { subscription.credit.add(more) }
  }
}

/// A conduit with its subscriber.
@usableFromInline
final class DownstreamConduit<Downstream: Subscriber>:
  TypedSubjectConduit<Downstream.Input, Downstream.Failure>
{
  @usableFromInline
  let downstream: Downstream

  @inlinable
  init(
    downstream: Downstream, subscription: SubjectSubscription, deliver: @escaping Deliver,
    complete: @escaping Complete
  ) {
    self.downstream = downstream
    super.init(subscription: subscription, deliver: deliver, complete: complete)
  }

  /// Makes the conduit of a subscriber, where all types are known.
  @inlinable
  @inline(__always)
  static func make(
    _ downstream: Downstream, _ subscription: SubjectSubscription
  ) -> DownstreamConduit {
    DownstreamConduit(
      downstream: downstream, subscription: subscription,
      deliver: { conduit, value in
        unsafeDowncast(conduit, to: DownstreamConduit.self).downstream.receive(value.pointee)
      },
      complete: { conduit, completion in
        unsafeDowncast(conduit, to: DownstreamConduit.self).downstream
          .receive(completion: completion)
      })
  }
}

extension SubjectHub {
  /// Offers a value to all who have subscribed so far. Only inside the gate.
  ///
  /// - Parameter notesPlace: Whether ``isYetToBeOffered(_:)`` is asked meanwhile.
  @inlinable
  func send<Output, Failure: Error>(
    _ value: UnsafePointer<Output>, failure: Failure.Type, notesPlace: Bool = false
  ) {
    let end = count
    var index = 0
    let outer = (offered, offerEnd)
    while index < end {
      if notesPlace { (offered, offerEnd) = (index, end) }
      conduits[index]._withUnsafeGuaranteedRef { conduit in
        let conduit = unsafeDowncast(conduit, to: TypedSubjectConduit<Output, Failure>.self)
        conduit.offer(value)
      }
      index += 1
    }
    if notesPlace { (offered, offerEnd) = outer }
  }

  /// Whether the innermost `send` that is on its way comes to this conduit yet.
  func isYetToBeOffered(_ index: Int) -> Bool { index > offered && index < offerEnd }

  /// Ends the subject and tells all who have subscribed. Later calls have no effect.
  @inlinable
  func complete<Output, Failure>(
    _ completion: Subscribers.Completion<Failure>, output: Output.Type
  ) {
    let wasOutside = gate.enter()
    admitNewcomers()
    isClosed.store(true, ordering: .relaxed)
    let end = count
    var index = 0
    while index < end {
      conduits[index]._withUnsafeGuaranteedRef { conduit in
        let conduit = unsafeDowncast(conduit, to: TypedSubjectConduit<Output, Failure>.self)
        if conduit.subscription.credit.end(),
          !conduit.subscription.leavesCompletionToAttacher()
        {
          conduit.complete(conduit, completion)
        }
      }
      index += 1
    }
    if wasOutside { leave(havingChores: true) } else { doChores() }
  }
}
