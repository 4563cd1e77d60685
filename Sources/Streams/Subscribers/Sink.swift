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
    return AnyCancellable(object: consume sink)
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
  /// Two ends of a sink behind a subject, or behind an operator that combines publishers, release
  /// the closures a little later. If another thread is delivering when you cancel, it releases them
  /// once that's done. If you complete the sink yourself, past the subject or operator, the next
  /// value from there or its end releases them.
  ///
  /// A sink that is cancelled before it has a subscription stays cancelled: it cancels a
  /// subscription that comes later, and calls neither closure. Combine's `Sink` forgets a
  /// cancellation that comes so early. Otherwise the rules are those of Combine's
  /// `Subscribers.Sink`.
  public final class Sink<Input, Failure>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  where Failure: Error {
    @usableFromInline
    let closures: SinkClosures<Input, Failure>

    // Belongs to the thread that has begun attaching. Once that's done, the thread that ends the
    // sink takes this out.
    @exclusivity(unchecked)
    @usableFromInline
    var subscription: SubscriptionObject?

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
      closures = SinkClosures(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      SubscriberObservation.note(self)
    }

    // Never inlined: where the sink was made, the compiler knows the closures that it began with.
    @inline(never)
    deinit {}

    @inlinable
    public static var _requestsLast: _Hint<Bool> { .yes }

    // `sink` and `subscribe(_:)` look. If a hook is enabled, the stages don't see this type.
    @inlinable
    public static var _isAttachedUnseen: _Hint<Bool> { .yes }

    @inlinable
    public func receive(subscription: any Subscription) {
      guard closures.beginAttaching() else { return subscription.cancel() }
      self.subscription = subscription._object.value
      if closures.endAttaching() {
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
      if closures.expiry.isInOwnRun {
        call(value)
      } else if closures.expiry.enter(as: ExpiryInsider.delivery) {
        call(value)
        closures.leave()
      } else {
        receiveAsGuest(value)
      }
      return .none
    }

    @inlinable
    public var _reservable: _Hint<UnsafeRawPointer?> {
      _Hint(UnsafeRawPointer(closures.expiry.address))
    }

    @inlinable
    @inline(__always)
    public func _receive(
      _ value: Input, in reservation: _Hint<UInt>
    ) -> Subscribers.Demand {
      closures.expiry.use(in: reservation) { closures.receiveValue(value) }
        ? .none : receive(value)
    }

    /// Delivers during another delivery: nested in it, or on a second thread, as a concurrent queue
    /// may.
    @inlinable
    @inline(never)
    func receiveAsGuest(_ value: Input) { closures.copyOfReceiveValue?(value) }

    /// Calls the value closure, unless it has expired. The caller has to be inside.
    @inlinable
    func call(_ value: Input) {
      if !closures.expiry.hasExpired { closures.receiveValue(value) }
    }

    @inlinable
    public func _beginRun() -> _Hint<Bool> { _Hint(closures.expiry.enter(as: ThreadID.current)) }

    @inlinable
    public func _endRun() { closures.leave() }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
      let (receiveCompletion, old, isUnused) = closures.takeReceiveCompletion()
      guard old & Expiry.expired == 0 else {
        if isUnused { closures.release() }
        return
      }
      if old & SinkClosures<Input, Failure>.attached != 0 { subscription = nil }
      if isUnused { closures.release() }
      receiveCompletion?(completion)
    }

    @inlinable
    public func cancel() {
      let (old, isUnused) = closures.expiry.expire()
      guard old & Expiry.expired == 0 else { return }
      let attached =
        old & SinkClosures<Input, Failure>.attached != 0 ? subscription.take() : nil
      if isUnused { closures.release() }
      attached?.cancel()
    }

    /// The closure called for each value. Does nothing once the sink has released it.
    public var receiveValue: (Input) -> Void { closures.copyOfReceiveValue ?? { _ in } }

    /// The closure called when the stream ends. Does nothing once the sink has released it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      closures.copyOfReceiveCompletion ?? { _ in }
    }

    /// `Sink`.
    public var description: String { "Sink" }

    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: CancellableObject {}

extension Subscribers.Sink: ObservedSubscriber {
  @usableFromInline
  package var hasSubscription: Bool { closures.hasSubscription }
}

/// The two closures of a sink, and what has happened to it so far.
@usableFromInline
struct SinkClosures<Input, Failure: Error>: ~Copyable {
  @usableFromInline
  let expiry = Expiry()

  @usableFromInline
  var receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  var receiveValue: (Input) -> Void

  @inlinable
  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  // MARK: The subscription

  /// The bit that says that a thread is storing the subscription, or has stored it.
  @inlinable
  static var attaching: UInt { 2 }

  /// The bit that says that the subscription is there for the thread that ends the sink.
  @inlinable
  static var attached: UInt { 4 }

  /// Begins to store the subscription.
  ///
  /// - Returns: Whether it's wanted: the sink hasn't ended, and has no subscription yet.
  @inlinable
  func beginAttaching() -> Bool {
    let old = expiry.state.bitwiseOr(Self.attaching, ordering: .acquiringAndReleasing).oldValue
    return old & (Self.attaching | Expiry.expired) == 0
  }

  /// Leaves the subscription to the thread that ends the sink.
  ///
  /// - Returns: Whether the sink hasn't ended. If it has, the caller keeps the subscription.
  @inlinable
  func endAttaching() -> Bool {
    let old = expiry.state.wrappingAdd(Self.attached, ordering: .acquiringAndReleasing).oldValue
    return old & Expiry.expired == 0
  }

  var hasSubscription: Bool {
    expiry.state.load(ordering: .acquiring) & (Self.attached | Expiry.expired) == Self.attached
  }

  // MARK: The closures
  //
  // The methods that copy a closure are never inlined. Their caller gets a closure that's retained,
  // and can't take it for one that the sink keeps alive.

  /// The value closure, retained; `nil` after the end.
  @inlinable
  var copyOfReceiveValue: ((Input) -> Void)? {
    @inline(never)
    get {
      expiry.visit {
        receiveValue
      } releasing: {
        release()
      }
    }
  }

  /// The completion closure, retained; `nil` after the end.
  @inlinable
  var copyOfReceiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? {
    @inline(never)
    get {
      expiry.visit {
        receiveCompletion
      } releasing: {
        release()
      }
    }
  }

  /// Ends the sink.
  ///
  /// - Returns: The completion closure, the state before, and whether the caller has to release the
  ///   closures.
  @inlinable
  @inline(never)
  func takeReceiveCompletion() -> (
    taken: ((Subscribers.Completion<Failure>) -> Void)?, old: UInt, isUnused: Bool
  ) {
    if expiry.enter(as: ExpiryInsider.delivery) {
      let copy = receiveCompletion
      let (old, isUnused) = expiry.expireAndLeave()
      return (copy, old, isUnused)
    }
    let copy = copyOfReceiveCompletion
    let (old, isUnused) = expiry.expire()
    return (copy, old, isUnused)
  }

  /// Leaves, after ``Expiry/enter(as:)``.
  @inlinable
  func leave() {
    if expiry.leave() { release() }
  }

  /// Releases the closures. Only for the caller that is told to: then no other call can be using
  /// them, and none comes.
  @inlinable
  func release() { SinkClosures<Never, Never>.release(around: expiry.address) }
}

extension SinkClosures<Never, Never> {
  /// Releases the closures of a sink of any type.
  ///
  /// They're stored in a constant, so that a delivery calls them without retaining them. Behind the
  /// compiler's back, they're replaced by closures that keep nothing. No call gets those, because
  /// each checks first that nothing has expired. Only the sink's `deinit` reads them.
  ///
  /// Nothing here depends on the types of the values. Closures of all types look the same in
  /// memory, and so do the structs that store them. With no types to know, the new closures need no
  /// memory of their own.
  ///
  /// - Parameter expiry: The sink's, which is the first thing in its ``SinkClosures``.
  @usableFromInline
  static func release(around expiry: UnsafePointer<Expiry>) {
    let place = UnsafeMutableRawPointer(mutating: UnsafeRawPointer(expiry))
      .assumingMemoryBound(to: SinkClosures.self)
    place.pointee.receiveValue = { _ in }
    place.pointee.receiveCompletion = { _ in }
  }
}
