import Synchronization

/// Says whether the closures of a sink, or of `handleEvents`, may still be called, and which caller
/// releases them. They go at the end of the stream, even if upstream keeps the object they're in.
///
/// **Inside.** One delivery at a time uses the closures without retaining them. It ``enter(as:)``s,
/// uses them unless they have expired (``hasExpired``), and calls ``leave()``. A run of deliveries
/// enters once, as its thread, and each of its deliveries sees ``isInOwnRun``. A call that finds
/// another one inside copies what it needs instead (``visit(_:releasing:)``). It's nested in that
/// one, or on a second thread.
///
/// **Reserved.** A subject or a junction, which deliver one value at a time, can reserve the
/// closures. Then their deliveries enter with plain stores (``use(in:_:)``), because only they
/// change the word until they end the reservation. All other calls find it taken. If the closures
/// have expired by then, they're released when the reservation ends.
///
/// **Expiring.** After ``expire()``, no call gets the closures any more. They're released at once,
/// or when the last call that is using them leaves. Nothing waits. A delivery on a second thread
/// may have checked for the last time just before that. Then they're released with their owner.
///
/// A method that may be the last one to use the closures returns whether its caller has to release
/// them. Only one caller gets `true`.
@usableFromInline
struct Expiry: ~Copyable, Sendable {
  /// The thread whose run is inside, a reservation, or one of the words in ``ExpiryInsider``.
  @usableFromInline
  let insider = Atomic<UInt>(ThreadID.none)

  /// The number of threads that are about to copy something, times ``guest``. Then two bits that
  /// are the owner's, and ``expired`` at the end.
  @usableFromInline
  let state = Atomic<UInt>(0)

  @inlinable
  init() {}

  @inlinable
  static var expired: UInt { 1 }

  @inlinable
  static var guest: UInt { 8 }

  @inlinable
  var hasExpired: Bool { state.load(ordering: .relaxed) & Self.expired != 0 }

  /// Where this is. It never moves, because it's in an object.
  @inlinable
  var address: UnsafePointer<Expiry> { withUnsafePointer(to: self) { $0 } }

  // MARK: Inside

  /// Whether the caller is part of a run that its own thread has begun.
  @inlinable
  var isInOwnRun: Bool {
    let insider = insider.load(ordering: .relaxed)
    return insider != ThreadID.none && insider == ThreadID.current
  }

  /// Enters, if no call is inside and the closures haven't been released.
  ///
  /// - Parameter insider: The thread of a run, or ``ExpiryInsider/delivery``.
  /// - Returns: Whether the caller is inside, and has to ``leave()``.
  @inlinable
  func enter(as insider: UInt) -> Bool {
    self.insider.compareExchange(
      expected: ThreadID.none, desired: insider, ordering: .acquiring
    ).exchanged
  }

  /// Leaves.
  ///
  /// - Returns: Whether the caller has to release the closures.
  @inlinable
  func leave() -> Bool {
    insider.store(ThreadID.none, ordering: .releasing)
    return hasExpired && claim()
  }

  // MARK: Reserved

  /// Uses the closures without retaining them, unless they have expired. The holder of the
  /// reservation makes these calls one at a time, but they nest.
  ///
  /// - Returns: Whether the closures are under this reservation.
  @inlinable
  @inline(__always)
  func use(in reservation: _Hint<UInt>, _ body: () -> Void) -> Bool {
    guard reservation.value != ThreadID.none else { return false }
    // A nested call finds the flag of the outer one, and leaves it there.
    let outer = insider.load(ordering: .relaxed)
    guard outer & ~ExpiryInsider.delivery == reservation.value else { return false }
    insider.store(reservation.value | ExpiryInsider.delivery, ordering: .relaxed)
    if !hasExpired { body() }
    insider.store(outer, ordering: .relaxed)
    if hasExpired { endReservation(reservation) }
    return true
  }

  /// Ends the reservation, unless a delivery is inside. The holder calls this while it isn't
  /// delivering on another thread. Releases the closures if that's left to the holder.
  @usableFromInline
  func endReservation(_ reservation: _Hint<UInt>) {
    let isOver = insider.compareExchange(
      expected: reservation.value, desired: ThreadID.none, ordering: .sequentiallyConsistent
    ).exchanged
    // A thread that made them expire has left the release to this one, or sees that the reservation
    // has ended.
    guard isOver, state.load(ordering: .sequentiallyConsistent) & Self.expired != 0, claim()
    else { return }
    // Only the closures of sinks are reserved.
    SinkClosures<Never, Never>.release(around: address)
  }

  // MARK: Outside

  /// Copies something, so that it stays usable when the closures expire.
  ///
  /// - Parameters:
  ///   - copy: Makes the copy. Not called after the end.
  ///   - release: Releases the closures. Called if they have expired during the copy.
  /// - Returns: The copy; `nil` after the end.
  @inlinable
  @inline(__always)
  func visit<Copy>(_ copy: () -> Copy, releasing release: () -> Void) -> Copy? {
    let old = state.wrappingAdd(Self.guest, ordering: .sequentiallyConsistent).oldValue
    // Nothing is released while there is a guest that came before the end.
    let result = old & Self.expired == 0 ? copy() : nil
    let new = state.wrappingSubtract(Self.guest, ordering: .sequentiallyConsistent).newValue
    // A thread that ended them meanwhile and saw this guest has left the release to this thread.
    if Self.hasExpiredWithoutGuests(new), claim() { release() }
    return result
  }

  /// Expires.
  ///
  /// - Returns: The state before that, and whether the caller has to release the closures.
  @inlinable
  func expire() -> (old: UInt, isUnused: Bool) {
    let old = state.bitwiseOr(Self.expired, ordering: .sequentiallyConsistent).oldValue
    guard old & Self.expired == 0, old < Self.guest else { return (old, false) }
    // No guest that comes from now on copies anything, so whether a call is inside decides.
    let isUnused = insider.compareExchange(
      expected: ThreadID.none, desired: ExpiryInsider.released, ordering: .sequentiallyConsistent
    ).exchanged
    return (old, isUnused)
  }

  /// Expires, and leaves. The caller has to be inside.
  ///
  /// - Returns: The state before that, and whether the caller has to release the closures.
  @inlinable
  func expireAndLeave() -> (old: UInt, isUnused: Bool) {
    let old = state.bitwiseOr(Self.expired, ordering: .sequentiallyConsistent).oldValue
    guard old & Self.expired == 0, old < Self.guest else { return (old, leave()) }
    insider.store(ExpiryInsider.released, ordering: .releasing)
    return (old, true)
  }

  /// Claims the release after the end, unless a call is using the closures. Each of those calls
  /// this again when it leaves.
  ///
  /// - Returns: Whether the caller has to release the closures.
  @usableFromInline
  func claim() -> Bool {
    let (sealed, insider) = insider.compareExchange(
      expected: ThreadID.none, desired: ExpiryInsider.sealed, ordering: .sequentiallyConsistent)
    return (sealed || insider == ExpiryInsider.sealed)
      && Self.hasExpiredWithoutGuests(state.load(ordering: .sequentiallyConsistent))
      && self.insider.compareExchange(
        expected: ExpiryInsider.sealed, desired: ExpiryInsider.released,
        ordering: .acquiringAndReleasing
      ).exchanged
  }

  @inlinable
  static func hasExpiredWithoutGuests(_ state: UInt) -> Bool {
    state & expired != 0 && state < guest
  }
}

/// The words of an ``Expiry``'s `insider` that aren't threads.
@usableFromInline
enum ExpiryInsider {
  /// A single delivery, on any thread.
  @inlinable static var delivery: UInt { 1 }
  /// Nothing can enter any more.
  @inlinable static var sealed: UInt { .max - 1 }
  /// The closures are gone, or the thread that wrote this is releasing them.
  @inlinable static var released: UInt { .max }
}
