import Synchronization

extension Publisher {
  /// Attaches closures as a subscriber with unlimited demand.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends, but not after a cancellation.
  ///   - receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable
  @inline(__always)
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(object: sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure as a subscriber with unlimited demand.
  ///
  /// - Parameter receiveValue: Called for each value.
  /// - Returns: A cancellable. Keep it, because releasing it cancels the subscription.
  @inlinable
  @inline(__always)
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// A subscriber that calls closures, with unlimited demand.
  ///
  /// The sink releases its closures when the stream ends or is cancelled. When the stream ends, it
  /// releases them before it calls the completion closure. If a delivery is inside the value
  /// closure at that moment, the closures are released when it leaves. A second subscription is
  /// cancelled.
  ///
  /// Two ends of a sink behind a subject release the closures a little later. If another thread is
  /// sending when you cancel, it releases them once its send is done. If you complete the sink
  /// yourself, past the subject, the subject's next value or its end releases them.
  ///
  /// A sink that is cancelled before it has a subscription stays cancelled: it cancels a
  /// subscription that comes later, and calls neither closure. Combine's `Sink` forgets a
  /// cancellation that comes so early. Otherwise the rules are those of Combine's
  /// `Subscribers.Sink`.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    @usableFromInline
    let status = Atomic<UInt8>(SinkStatus.awaiting)

    // Belongs to the thread that moves the status. That thread writes this before it moves the
    // status to `attached`. The thread that moves the status on from there takes this out.
    @exclusivity(unchecked)
    @usableFromInline
    var subscription: (any Subscription)?

    @usableFromInline
    let closures: Expiring

    @usableFromInline
    typealias Closures = SinkClosures<Input, Failure>

    /// Makes a subscriber of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends.
    ///   - receiveValue: Called for each value, where it is delivered.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      closures = Expiring(
        Closures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
      SubscriberObservation.note(self)
    }

    @inlinable
    public static var _requestsLast: _Hint<Bool> { .yes }

    // `sink` and `subscribe(_:)` look. If a hook is enabled, the stages don't see this type.
    @inlinable
    public static var _isAttachedUnseen: _Hint<Bool> { .yes }

    @inlinable
    public func receive(subscription: any Subscription) {
      guard move(from: SinkStatus.awaiting, to: SinkStatus.attaching) else {
        return subscription.cancel()
      }
      self.subscription = subscription
      if move(from: SinkStatus.attaching, to: SinkStatus.attached) {
        subscription.request(.unlimited)
      } else {
        // Another thread has ended the sink meanwhile, and left the subscription to this one.
        self.subscription = nil
        subscription.cancel()
      }
    }

    @inlinable
    @inline(__always)
    public func receive(_ value: Input) -> Subscribers.Demand {
      if closures.isInOwnRun {
        call(value)
      } else if closures.enter(as: ExpiringInsider.delivery) {
        call(value)
        closures.leave()
      } else {
        receiveAsGuest(value)
      }
      return .none
    }

    @inlinable
    public var _reservable: _Hint<UnsafeRawPointer?> { _Hint(UnsafeRawPointer(closures.address)) }

    @inlinable
    @inline(__always)
    public func _receive(
      _ value: Input, in reservation: _Hint<UInt>
    ) -> Subscribers.Demand {
      if closures.use(as: Closures.self, in: reservation, { $0.receiveValue(value) }) {
        return .none
      }
      return receive(value)
    }

    /// Delivers during another delivery: nested in it, or on a second thread, as a concurrent queue
    /// may.
    @inlinable
    @inline(never)
    func receiveAsGuest(_ value: Input) {
      closures.retained(as: Closures.self)?.receiveValue(value)
    }

    /// Calls the value closure. The caller has to be inside.
    @inlinable
    func call(_ value: Input) {
      closures.use(as: Closures.self) { $0.receiveValue(value) }
    }

    @inlinable
    public func _beginRun() -> _Hint<Bool> { _Hint(closures.enter(as: ThreadID.current)) }

    @inlinable
    public func _endRun() { closures.leave() }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = closures.retained(as: Closures.self)?.receiveCompletion
      switch status.exchange(SinkStatus.ended, ordering: .acquiringAndReleasing) {
      case SinkStatus.ended: return
      case SinkStatus.attached: subscription = nil
      default: break
      }
      closures.expire()
      receiveCompletion?(completion)
    }

    @inlinable
    public func cancel() {
      switch status.exchange(SinkStatus.ended, ordering: .acquiringAndReleasing) {
      case SinkStatus.ended: return
      case SinkStatus.attached:
        let attached = subscription
        subscription = nil
        closures.expire()
        attached?.cancel()
      default: closures.expire()
      }
    }

    @inlinable
    func move(from old: UInt8, to new: UInt8) -> Bool {
      status.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        .exchanged
    }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void {
      closures.retained(as: Closures.self)?.receiveValue ?? { _ in }
    }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      closures.retained(as: Closures.self)?.receiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

/// The states of a sink's subscription.
@usableFromInline
enum SinkStatus {
  /// None has arrived yet.
  @inlinable static var awaiting: UInt8 { 0 }
  /// One thread is storing it.
  @inlinable static var attaching: UInt8 { 1 }
  @inlinable static var attached: UInt8 { 2 }
  @inlinable static var ended: UInt8 { 3 }
}

extension Subscribers.Sink: CancellableObject {}

extension Subscribers.Sink: ObservedSubscriber {
  @usableFromInline
  package var hasSubscription: Bool { status.load(ordering: .acquiring) == SinkStatus.attached }
}

/// The two closures of a sink, in a separate object that can be released before the sink.
@usableFromInline
final class SinkClosures<Input, Failure: Error> {
  @usableFromInline
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  let receiveValue: (Input) -> Void

  @inlinable
  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }
}
