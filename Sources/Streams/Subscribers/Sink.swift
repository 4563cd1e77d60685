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
    receive(subscriber: sink)
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

    /// The thread whose run of values is inside the closures, or one of the words in
    /// ``SinkInsider``. ``SinkInsider/delivery`` stands for a single delivery.
    @usableFromInline
    let insider = Atomic<UInt>(ThreadID.none)

    /// The number of threads that are about to retain the closures; see ``retainedClosures()``.
    @usableFromInline
    let guests = Atomic<Int>(0)

    // Unmanaged, so that a delivery needn't retain them: no thread releases them while a delivery
    // is inside.
    @usableFromInline
    let closures: Unmanaged<SinkClosures<Input, Failure>>

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
      closures = .passRetained(
        SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
      SubscriberObservation.note(self)
    }

    @inlinable
    deinit {
      if insider.load(ordering: .acquiring) != SinkInsider.released { closures.release() }
    }

    @inlinable
    public static var _requestsLast: _Hint<Bool> { .yes }

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
      let insider = insider.load(ordering: .relaxed)
      if insider != ThreadID.none, insider == ThreadID.current {
        // Part of a run of deliveries that this thread has announced.
        call(value)
      } else if enter(as: SinkInsider.delivery) {
        call(value)
        _endRun()
      } else {
        receiveAsGuest(value)
      }
      return .none
    }

    /// Delivers during another delivery: nested in it, or on a second thread, as a concurrent queue
    /// may.
    @inlinable
    @inline(never)
    func receiveAsGuest(_ value: Input) {
      retainedClosures()?.receiveValue(value)
    }

    /// Calls the value closure. The caller has to be inside.
    @inlinable
    func call(_ value: Input) {
      if hasEnded { return }
      closures._withUnsafeGuaranteedRef { $0.receiveValue(value) }
    }

    @inlinable
    func enter(as thread: UInt) -> Bool {
      insider.compareExchange(
        expected: ThreadID.none, desired: thread, ordering: .acquiring
      ).exchanged
    }

    @inlinable
    public func _beginRun() -> _Hint<Bool> { _Hint(enter(as: ThreadID.current)) }

    @inlinable
    public func _endRun() {
      insider.store(ThreadID.none, ordering: .releasing)
      if hasEnded { releaseClosures() }
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let receiveCompletion = retainedClosures()?.receiveCompletion
      switch status.exchange(SinkStatus.ended, ordering: .sequentiallyConsistent) {
      case SinkStatus.ended: return
      case SinkStatus.attached: subscription = nil
      default: break
      }
      releaseClosures()
      receiveCompletion?(completion)
    }

    @inlinable
    public func cancel() {
      switch status.exchange(SinkStatus.ended, ordering: .sequentiallyConsistent) {
      case SinkStatus.ended: return
      case SinkStatus.attached:
        let attached = subscription
        subscription = nil
        releaseClosures()
        attached?.cancel()
      default: releaseClosures()
      }
    }

    @inlinable
    func move(from old: UInt8, to new: UInt8) -> Bool {
      status.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
        .exchanged
    }

    @inlinable
    var hasEnded: Bool { status.load(ordering: .relaxed) == SinkStatus.ended }

    /// The closures, retained so that they stay safe to call after the sink has released them;
    /// `nil` after the end.
    ///
    /// While the caller is counted among the guests, no thread releases the closures. If the caller
    /// finds that the sink has ended meanwhile, the release may have been left to it.
    @inlinable
    func retainedClosures() -> SinkClosures<Input, Failure>? {
      guests.wrappingAdd(1, ordering: .sequentiallyConsistent)
      var retained: SinkClosures<Input, Failure>?
      if status.load(ordering: .sequentiallyConsistent) != SinkStatus.ended {
        retained = closures.takeUnretainedValue()
      }
      guests.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      // If another thread has ended the sink meanwhile and saw this guest, it left the release to
      // this thread.
      if status.load(ordering: .sequentiallyConsistent) == SinkStatus.ended { releaseClosures() }
      return retained
    }

    /// Releases the closures after the end, unless a delivery or a guest is inside. Each of those
    /// calls this again when it leaves.
    ///
    /// A delivery on a second thread may have checked the status for the last time just before the
    /// end. Then the closures are released with the sink, which every upstream releases after the
    /// end.
    @inlinable
    func releaseClosures() {
      let (sealed, insider) = insider.compareExchange(
        expected: ThreadID.none, desired: SinkInsider.sealed, ordering: .sequentiallyConsistent)
      guard sealed || insider == SinkInsider.sealed,
        guests.load(ordering: .sequentiallyConsistent) == 0,
        self.insider.compareExchange(
          expected: SinkInsider.sealed, desired: SinkInsider.released,
          ordering: .acquiringAndReleasing
        ).exchanged
      else { return }
      closures.release()
    }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void {
      retainedClosures()?.receiveValue ?? { _ in }
    }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      retainedClosures()?.receiveCompletion ?? { _ in }
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

/// The words of a sink's `insider` that aren't threads.
@usableFromInline
enum SinkInsider {
  /// A single delivery, on any thread.
  @inlinable static var delivery: UInt { 1 }
  /// Nothing can enter any more.
  @inlinable static var sealed: UInt { .max - 1 }
  /// The closures are gone.
  @inlinable static var released: UInt { .max }
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
