import Synchronization

/// An object of user closures that is released at the end of a stream, even if upstream keeps its
/// owner.
///
/// **Inside.** One delivery at a time uses the object without retaining it. It ``enter(as:)``s,
/// ``use(as:_:)``s the object, and calls ``leave()``. A run of deliveries enters once, as its
/// thread, and each of its deliveries sees ``isInOwnRun``. A call that finds another one inside
/// retains the object instead (``retained(as:)``). It's nested in that one, or on a second thread.
///
/// **Reserved.** A subject that delivers one value at a time can reserve the object. Then its
/// deliveries enter with plain stores (``use(as:in:_:)``), because only the subject changes the
/// word until it ends the reservation. All other calls find it taken. If the object has expired by
/// then, ending the reservation releases it.
///
/// **Expiring.** After ``expire()``, no call gets the object any more. It's released at once, or
/// when the last call that is using it leaves. Nothing waits. A delivery on a second thread may
/// have checked for the last time just before that. Then the object is released with its owner.
///
/// It isn't generic, because the `deinit` of a generic class is slow if it destroys a generic
/// struct. The owner knows the type of the object, and passes it to each call.
@usableFromInline
struct Expiring: ~Copyable, Sendable {
  /// The thread whose run is inside, a reservation, or one of the words in ``ExpiringInsider``.
  @usableFromInline
  let insider = Atomic<UInt>(ThreadID.none)

  /// Twice the number of threads that are about to retain the object, plus ``expired`` at the end.
  @usableFromInline
  let guests = Atomic<UInt>(0)

  // Unmanaged, so that a delivery needn't retain it: it isn't released while one is inside.
  // `nonisolated(unsafe)`: never changes. Only its lifetime is guarded here, not its content.
  @usableFromInline
  nonisolated(unsafe) let object: Unmanaged<AnyObject>

  @inlinable
  init(_ object: AnyObject) { self.object = .passRetained(object) }

  @inlinable
  deinit {
    if insider.load(ordering: .acquiring) != ExpiringInsider.released { object.release() }
  }

  @inlinable
  static var expired: UInt { 1 }

  @inlinable
  static var guest: UInt { 2 }

  @inlinable
  var hasExpired: Bool { guests.load(ordering: .relaxed) & Self.expired != 0 }

  // MARK: Inside

  /// Whether the caller is part of a run that its own thread has begun.
  @inlinable
  var isInOwnRun: Bool {
    let insider = insider.load(ordering: .relaxed)
    return insider != ThreadID.none && insider == ThreadID.current
  }

  /// Enters, if no call is inside and the object hasn't been released.
  ///
  /// - Parameter insider: The thread of a run, or ``ExpiringInsider/delivery``.
  /// - Returns: Whether the caller is inside, and has to ``leave()``.
  @inlinable
  func enter(as insider: UInt) -> Bool {
    self.insider.compareExchange(
      expected: ThreadID.none, desired: insider, ordering: .acquiring
    ).exchanged
  }

  /// Uses the object without retaining it, unless it has expired. The caller has to be inside.
  @inlinable
  @inline(__always)
  func use<Object: AnyObject>(as type: Object.Type, _ body: (Object) -> Void) {
    if hasExpired { return }
    object._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: type)) }
  }

  /// Leaves.
  @inlinable
  func leave() {
    insider.store(ThreadID.none, ordering: .releasing)
    if hasExpired { releaseIfUnused() }
  }

  // MARK: Reserved

  /// Uses the object without retaining it, unless it has expired. The holder of the reservation
  /// makes these calls one at a time, but they nest.
  ///
  /// - Returns: Whether the object is under this reservation.
  @inlinable
  @inline(__always)
  func use<Object: AnyObject>(
    as type: Object.Type, in reservation: _Hint<UInt>, _ body: (Object) -> Void
  ) -> Bool {
    guard reservation.value != ThreadID.none else { return false }
    // A nested call finds the flag of the outer one, and leaves it there.
    let outer = insider.load(ordering: .relaxed)
    guard outer & ~ExpiringInsider.delivery == reservation.value else { return false }
    insider.store(reservation.value | ExpiringInsider.delivery, ordering: .relaxed)
    use(as: type, body)
    insider.store(outer, ordering: .relaxed)
    if hasExpired { endReservation(reservation) }
    return true
  }

  /// Ends the reservation, unless a delivery is inside. The holder calls this while it isn't
  /// delivering on another thread.
  @usableFromInline
  func endReservation(_ reservation: _Hint<UInt>) {
    let isOver = insider.compareExchange(
      expected: reservation.value, desired: ThreadID.none, ordering: .sequentiallyConsistent
    ).exchanged
    // A thread that made it expire has left the release to this one, or sees that the reservation
    // has ended.
    if isOver, guests.load(ordering: .sequentiallyConsistent) & Self.expired != 0 {
      releaseIfUnused()
    }
  }

  /// Where this is. It never moves, because it's in an object.
  @inlinable
  var address: UnsafePointer<Expiring> { withUnsafePointer(to: self) { $0 } }

  // MARK: Outside

  /// The object, retained, so that it stays usable when it expires; `nil` after the end.
  @inlinable
  func retained<Object: AnyObject>(as type: Object.Type) -> Object? {
    let old = guests.wrappingAdd(Self.guest, ordering: .sequentiallyConsistent).oldValue
    // It isn't released while there is a guest that came before the end.
    let retained =
      old & Self.expired == 0 ? unsafeDowncast(object.takeUnretainedValue(), to: type) : nil
    let new = guests.wrappingSubtract(Self.guest, ordering: .sequentiallyConsistent).newValue
    // A thread that ended it meanwhile and saw this guest has left the release to this thread.
    if new == Self.expired { releaseIfUnused() }
    return retained
  }

  /// Expires.
  ///
  /// - Returns: Whether this is the first time.
  @inlinable
  @discardableResult
  func expire() -> Bool {
    let old = guests.bitwiseOr(Self.expired, ordering: .sequentiallyConsistent).oldValue
    guard old & Self.expired == 0 else { return false }
    releaseIfUnused()
    return true
  }

  /// Expires.
  ///
  /// - Returns: The object, if this is the first time.
  @inlinable
  func take<Object: AnyObject>(as type: Object.Type) -> Object? {
    let object = retained(as: type)
    return expire() ? object : nil
  }

  /// Releases the object, unless a call is using it. Each of those calls this again when it leaves.
  @inlinable
  func releaseIfUnused() {
    let (sealed, insider) = insider.compareExchange(
      expected: ThreadID.none, desired: ExpiringInsider.sealed, ordering: .sequentiallyConsistent)
    guard sealed || insider == ExpiringInsider.sealed,
      guests.load(ordering: .sequentiallyConsistent) == Self.expired,
      self.insider.compareExchange(
        expected: ExpiringInsider.sealed, desired: ExpiringInsider.released,
        ordering: .acquiringAndReleasing
      ).exchanged
    else { return }
    object.release()
  }
}

/// The words of an ``Expiring`` object's `insider` that aren't threads.
@usableFromInline
enum ExpiringInsider {
  /// A single delivery, on any thread.
  @inlinable static var delivery: UInt { 1 }
  /// Nothing can enter any more.
  @inlinable static var sealed: UInt { .max - 1 }
  /// The object is gone.
  @inlinable static var released: UInt { .max }
}
