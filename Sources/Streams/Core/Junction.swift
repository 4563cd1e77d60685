/// The one subscription that downstream gets where several publishers meet.
///
/// - Inside the gate: everything that downstream receives. A signal from a second thread waits
///   until the first one has left. A signal from the same thread nests. Each subclass says what
///   guards its waiting values, and where it calls its upstreams.
/// - Under the lock: the subscriptions, and which of them have ended. A subclass keeps them in its
///   own state. Nothing is called or released under the lock.
/// - Without waiting: requests and cancellations. If they need the gate and another thread is
///   inside, they leave a note. The thread inside acts on it before it leaves
///   (``insideOrLater(_:)``, ``actOnNotes()``).
/// - Release: downstream and the waiting values are taken out of the junction inside the gate
///   (``takeRemains()``), and released outside it. At the end of the stream, the thread that
///   delivers the completion does both. After a cancellation, the cancelling thread does. If a
///   thread is already inside, which may be the same one, that thread releases downstream as it
///   leaves. So a delivery needn't retain downstream.
@usableFromInline class Junction<Downstream: Subscriber>: SourceSubscription {
  @usableFromInline final let gate = Gate()

  /// Usable until it's released; see ``phase``. Touched inside the gate only.
  @usableFromInline final let downstream: HeldDownstream<Downstream>.Place

  /// How far downstream has got. Touched inside the gate only.
  @exclusivity(unchecked) @usableFromInline final var phase = DownstreamPhase.open

  private let name: JunctionName

  @usableFromInline
  init(
    _ name: JunctionName, downstream: Downstream, onRequest: @escaping Request,
    onCancel: @escaping Cancel
  ) {
    self.name = name
    self.downstream = HeldDownstream.place(downstream)
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  @inlinable
  deinit {
    HeldDownstream.release(takeDownstream())
  }

  @usableFromInline override final var description: String { name.rawValue }

  // MARK: For subclasses to override

  /// Acts on the notes that other threads have left. Called inside the gate, before the thread
  /// leaves it.
  @usableFromInline func actOnNotes() {}

  /// Takes out the values that won't be delivered any more, at the end. Called inside the gate.
  ///
  /// - Returns: The values, for the caller to release outside the gate.
  @usableFromInline func takeRemains() -> Any? { nil }

  /// Whether downstream has cancelled, so that it doesn't even get a completion that is on its way.
  @usableFromInline var isCancelled: Bool { false }

  // MARK: To downstream

  /// Hands the subscription downstream.
  @inlinable
  final func announce() {
    inside { handOver() }
  }

  /// Hands the subscription downstream. Called inside the gate.
  @inlinable
  final func handOver() {
    if phase == .open { downstream.pointee.receive(subscription: self) }
  }

  /// Takes downstream out. Called inside the gate.
  ///
  /// - Returns: Downstream, for the caller to release outside the gate, unless that's done already.
  @inlinable
  final func takeDownstream() -> HeldDownstream<Downstream>.Place? {
    guard phase != .released else { return nil }
    phase = .released
    return downstream
  }

  /// Delivers a value, unless the stream has ended. Called inside the gate.
  @inlinable @inline(__always)
  final func deliver(_ value: Downstream.Input) -> Subscribers.Demand {
    phase == .open ? downstream.pointee.receive(value) : .none
  }

  @inlinable
  final func complete(_ completion: Subscribers.Completion<Downstream.Failure>) {
    var remains: Any?
    var released: HeldDownstream<Downstream>.Place?
    let wasOutside = gate.enter()
    // After a cancellation, releasing is up to the cancelling thread.
    if !isCancelled, phase == .open {
      remains = takeRemains()
      phase = .ended
      downstream.pointee.receive(completion: completion)
      if wasOutside {
        released = takeDownstream()
      } else {
        // An outer call of this thread may be using it, and releases it as it leaves.
        gate.leaveNote()
      }
    }
    if wasOutside { leave() }
    HeldDownstream.release(released)
    _ = remains
  }

  /// Releases downstream and the waiting values: now or, if a thread is inside the gate, when that
  /// thread leaves.
  @inlinable
  final func releaseDownstream() {
    if gate.enterOrLeaveNote() {
      let released = takeDownstream()
      let remains = takeRemains()
      leave()
      HeldDownstream.release(released)
      _ = remains
    }
  }

  @inlinable
  final func inside(_ body: () -> Void) {
    let wasOutside = gate.enter()
    body()
    if wasOutside { leave() }
  }

  /// Acts inside the gate without waiting: now or, if another thread is inside, on that
  /// thread. It has to be one that ``actOnNotes()`` does.
  @inlinable
  final func insideOrLater(_ act: () -> Void) {
    if gate.isMine {
      act()
    } else if gate.enterOrLeaveNote() {
      act()
      leave()
    }
  }

  /// Leaves the gate.
  ///
  /// - Parameter me: The calling thread. A delivery asks for it once, because that takes as long as
  ///   entering the gate.
  @inlinable
  final func leave(as me: UInt = ThreadID.current) {
    if !gate.leaveUndisturbed(as: me) { leaveActingOnNotes() }
  }

  @usableFromInline
  final func leaveActingOnNotes() {
    var released: HeldDownstream<Downstream>.Place?
    var remains: Any?
    gate.leave {
      actOnNotes()
      switch phase {
      case .open where isCancelled:
        released = takeDownstream()
        remains = takeRemains()
      case .ended: released = takeDownstream()
      case .open, .released: break
      }
    }
    // Released here, outside the gate.
    HeldDownstream.release(released)
    _ = remains
  }
}

/// A subscriber of one of the publishers that meet in a junction. It shows the junction's name.
@usableFromInline protocol JunctionSubscriber: Subscriber, Named {
  associatedtype MeetingPoint: CustomStringConvertible
  var junction: MeetingPoint { get }
}

extension JunctionSubscriber {
  @usableFromInline var name: String { junction.description }
}

/// The names of junctions, in one byte.
@usableFromInline enum JunctionName: String {
  case merge = "Merge"
  case flatMap = "FlatMap"
  case zip = "Zip"
  case combineLatest = "CombineLatest"
  case switchToLatest = "SwitchToLatest"
}

/// How far the downstream of a junction has got.
@usableFromInline enum DownstreamPhase: UInt8 {
  case open
  /// It has its completion, which came from within a delivery. It's released when the thread leaves
  /// the gate.
  case ended
  case released
}

/// The downstream of a junction, which a delivery uses without retaining it.
///
/// It can't be copied, so the compiler borrows it where it is. Its owner says when it isn't used.
@usableFromInline struct HeldDownstream<Downstream: Subscriber>: ~Copyable {
  @usableFromInline typealias Place = UnsafeMutablePointer<HeldDownstream>
  @usableFromInline let downstream: Downstream

  @inlinable init(_ downstream: Downstream) { self.downstream = downstream }

  @inlinable
  static func place(_ downstream: Downstream) -> Place {
    let place = Place.allocate(capacity: 1)
    place.initialize(to: HeldDownstream(downstream))
    return place
  }

  @inlinable
  static func release(_ place: Place?) {
    guard let place else { return }
    place.deinitialize(count: 1)
    place.deallocate()
  }

  @inlinable @inline(__always)
  borrowing func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  borrowing func receive(_ value: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(value)
  }

  @inlinable @inline(__always)
  borrowing func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
